# async: coroutines, tasks, async for and async with around hot loops, cancellation, exceptions out of gather.
# kiln-test: libraries=compiled
import asyncio


async def add(a, b):
    return a + b


async def hot_awaits(count):
    total = 0
    for i in range(count):
        total = await add(total, i)
    return total


async def ticker(count):
    for i in range(count):
        yield i
        if i % 1000 == 0:
            await asyncio.sleep(0)


async def hot_async_for(count):
    total = 0
    async for i in ticker(count):
        total += i * 2
    return total, sum([i async for i in ticker(count) if i % 2])


class Gate:
    entered = 0

    async def __aenter__(self):
        Gate.entered += 1
        return self

    async def __aexit__(self, *details):
        Gate.entered -= 1
        return details[0] is KeyError


async def hot_async_with(count):
    n = 0
    for i in range(count):
        async with Gate():
            n += Gate.entered
            if i % 4 == 0:
                raise KeyError
    return n, Gate.entered


async def worker(name, queue, results):
    while True:
        item = await queue.get()
        if item is None:
            return name
        total = 0
        for i in range(item):
            total += i * i
        results.append((name, item, total))


async def producer_consumer():
    queue, results = asyncio.Queue(maxsize=3), []
    tasks = [asyncio.create_task(worker(f"w{k}", queue, results)) for k in range(3)]
    for n in range(1000, 7000, 500):
        await queue.put(n)
    for _ in tasks:
        await queue.put(None)
    return await asyncio.gather(*tasks), results


async def cancelled():
    async def spin():
        n = 0
        try:
            while True:
                for _ in range(1000):
                    n += 1
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            return "cancelled", n > 5000
        finally:
            pass

    task = asyncio.create_task(spin())
    for _ in range(20):
        await asyncio.sleep(0)
    task.cancel()
    return await task


async def failing(count):
    total = 0
    for i in range(count):
        total += await add(i, 1)
        total //= count - 2 - i
    return total


async def main():
    print(await hot_awaits(9000), await hot_async_for(6000), await hot_async_with(6000))
    names, results = await producer_consumer()
    print(names, sorted(results))
    print(await cancelled())
    outcomes = await asyncio.gather(failing(6000), add(1, 2), failing(5), return_exceptions=True)
    print(outcomes, outcomes[0].__traceback__.tb_lineno)
    try:
        async with asyncio.timeout(10):
            await failing(7000)
    except ZeroDivisionError as error:
        print(error, error.__traceback__.tb_next.tb_lineno)


asyncio.run(main())
