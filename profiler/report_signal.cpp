// The handler only wakes the sampler's thread, which may lock, allocate and wait. That one starts another thread to
// take the GIL, since nobody can say how long that takes, and goes on without it after two seconds.
#include "profiler/report_signal.h"

#include <Python.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "profiler/sampler.h"

namespace kiln {
namespace {

constexpr int kPatienceSeconds = 2;

void (*writeReport)(bool) = nullptr;
sem_t done;
std::atomic<bool> begun{false};
std::atomic<bool> requested{false};

void handleTermination(int);

void setHandler(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    sigaction(SIGTERM, &action, nullptr);
}

void dieBySignal() {
    setHandler(SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    raise(SIGTERM);
    // Still here: the first process of a container is not killed. It goes on, as it would under python.
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    setHandler(handleTermination);
    begun = false;
    requested = false;
}

void* writeWithPython(void*) {
    PyGILState_STATE state = PyGILState_Ensure();
    if (!begun.exchange(true)) {
        writeReport(true);
        sem_post(&done);
    }
    PyGILState_Release(state);
    return nullptr;
}

bool waitUntilDone(int seconds) {
    timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += seconds;
    int status;
    while ((status = sem_clockwait(&done, CLOCK_MONOTONIC, &deadline)) != 0 && errno == EINTR) {
    }
    return status == 0;
}

// On the sampler's thread.
void terminate() {
    sem_init(&done, 0, 0);
    pthread_t thread;
    if (pthread_create(&thread, nullptr, writeWithPython, nullptr) == 0) {
        pthread_detach(thread);
        if (waitUntilDone(kPatienceSeconds)) {
            dieBySignal();
            return;
        }
    }
    if (!begun.exchange(true)) {
        writeReport(false);
    } else {
        waitUntilDone(kPatienceSeconds);
    }
    dieBySignal();
}

void handleTermination(int) {
    int saved = errno;
    requested = true;
    if (!runOnSampler(terminate)) {
        setHandler(SIG_DFL);
        raise(SIGTERM);
    }
    errno = saved;
}

}  // namespace

bool terminationRequested() {
    return requested;
}

void dieIfTerminated() {
    if (requested) {
        dieBySignal();
    }
}

void writeOnTermination(void (*write)(bool withPython)) {
    struct sigaction current = {};
    sigaction(SIGTERM, nullptr, &current);
    bool isDefault = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_DFL;
    if (isDefault) {
        writeReport = write;
        setHandler(handleTermination);
    }
}

}  // namespace kiln
