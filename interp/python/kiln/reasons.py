"""The codes of kiln's reports: cause, and the smallest rewrite that helps.

D codes: why compiled code was left (jit/exit_reasons.def). A codes: why a function or loop is not compiled
(jit/refusals.def). A test compares the codes here with those tables. K codes: what a user could do to make a kernel faster
(gpu/runtime/kernel_advice.cpp).
"""

from typing import NamedTuple


class Reason(NamedTuple):
    """One code. `rewrite` is "" when there is nothing to do about it, or nothing worth it."""

    code: str
    title: str
    cause: str
    rewrite: str = ""


_EXITS = [
    Reason(
        "D001",
        "a value had a class not seen while recording",
        "The code was compiled for the classes that values had while kiln watched, and this time one had another. "
        "kiln compiles the new case too once it is frequent. It costs time only where a variable keeps changing its"
        " class, most often between int and float or between a value and None.",
        """
        total = 0                   # int at first, float from the first addition on
        for x in samples: total += x

        total = 0.0                 # one class all the time
        for x in samples: total += x
        """,
    ),
    Reason(
        "D002",
        "an int result needed more than 64 bits",
        "Compiled code keeps ints in machine words. A result that does not fit goes on as a Python int, which is "
        "right but not faster than under python; a site where that is frequent is compiled for Python ints.",
        """
        h = h * 31 + c                       # grows without limit

        h = (h * 31 + c) & 0xFFFFFFFF        # stays a machine word, if that is what is meant
        """,
    ),
    Reason(
        "D003",
        "a branch not taken while recording",
        "The path behind this branch had not been seen when the code was compiled. kiln records it and compiles the"
        " code again as soon as it is taken often, so that a small count is of no concern. Many such exits at many "
        "lines mean that the loop decides anew each time what to do: sort or group the work by kind before the "
        "loop.",
        """
        for item in items:
            if item.kind == "a": ...         # kinds mixed

        for kind, group in by_kind.items():
            for item in group: ...           # one kind a loop
        """,
    ),
    Reason(
        "D004",
        "the loop ended",
        "The ordinary way out of a loop. A count near the number of iterations means that the loop runs only a few "
        "times whenever it is entered, and that the code around it is not compiled: look at that code's own reason.",
    ),
    Reason(
        "D005",
        "an index out of range",
        "CPython raises the IndexError. Where the function handles it and it is frequent, compiled code does that itself. A program that "
        "uses the exception to find the end of a sequence pays for one each time.",
        """
        try:
            while True: use(values[i]); i += 1
        except IndexError: pass

        for value in values: use(value)
        """,
    ),
    Reason(
        "D006",
        "a zero divisor, or an argument for which CPython raises or changes the result's class",
        "For example x / 0, math.sqrt(-1.0), 2 ** -1 (a float) or (-8.0) ** 0.5 (a complex number): CPython does "
        "these. Test for the value before the operation where it is frequent.",
        """
        try: r = a / b
        except ZeroDivisionError: r = 0.0

        r = a / b if b else 0.0
        """,
    ),
    Reason(
        "D007",
        "signals, threads, pending calls or the collector wanted the interpreter; or better code was there",
        "A compiled loop makes way for signals, for other threads and for the garbage collector, and goes on "
        "afterwards; also for thorough code, once that is there. The count grows with the run's length and with the number of threads that run Python code.",
    ),
    Reason(
        "D008",
        "an operation raised an exception",
        "Compiled code goes on with a handler in the same function, and leaves a function that has none there. This one left "
        "otherwise: the exception went out of a loop that was entered alone, or its handler or the operation is one that only the "
        "interpreter runs.",
    ),
    Reason(
        "D009",
        "a global, builtin, class or function that the code relied on was changed",
        "Globals, builtins, classes and functions are constants in compiled code until they are assigned to. "
        "Assigning to one discards the code. A global that a loop changes should be a local variable of a function.",
        """
        count = 0
        def step():
            global count
            count += 1

        def run(n):
            count = 0
            for _ in range(n): count += 1
            return count
        """,
    ),
    Reason(
        "D010",
        "an instruction that only the interpreter runs",
        "The path from here on holds an operation that kiln does not compile. The rest of the loop is compiled; "
        "move the operation out of the hot path where that is easy.",
    ),
    Reason(
        "D011",
        "another function was called than while recording",
        "The call was compiled for one function. kiln adds the other one when it is called often; a call that meets"
        " ever new functions (closures or lambdas made in the loop, for instance) stays in the interpreter.",
        """
        for x in xs: apply(lambda v: v * x, data)       # a new function each time

        def scaled(v, x): return v * x
        for x in xs: apply(scaled, data, x)
        """,
    ),
    Reason(
        "D012",
        "entered with classes it was not compiled for",
        "The variables had other classes at the start of the loop or function than while recording. kiln keeps a "
        "few versions side by side; see D014 for when that is not enough.",
    ),
    Reason(
        "D013",
        "the recursion limit or the native stack came near",
        "Deep recursion goes on in the interpreter, which needs no native stack for it and raises RecursionError "
        "where python does. A loop with a list as its stack is faster than very deep recursion.",
        """
        def walk(node):
            for child in node.children: walk(child)

        stack = [root]
        while stack:
            stack.extend(stack.pop().children)
        """,
    ),
    Reason(
        "D014",
        "too many combinations of classes in one loop",
        "The loop works on values of so many classes that compiling each combination would not pay. Split the work "
        "by class, or bring the values to one class before the loop.",
        """
        for v in [1, 2.5, "3", None]: total += convert(v)

        values = [convert(v) for v in raw]       # all float
        for v in values: total += v
        """,
    ),
    Reason(
        "D015",
        "another object than while recording",
        "The code was compiled for one certain object: a function, a class, a module or a constant found through a "
        "variable. kiln adds the other one when it is met often.",
    ),
    Reason(
        "D016",
        "a compiled callee returned another class than expected",
        "The caller was compiled for the class that the function returned before. A function that returns sometimes"
        " an int and sometimes a float or None makes each caller check.",
        """
        def ratio(a, b):
            return a / b if b else 0         # float or int

        def ratio(a, b):
            return a / b if b else 0.0       # float
        """,
    ),
    Reason(
        "D017",
        "an object lacks an attribute, or keeps its attributes in a dict",
        "Compiled code finds an attribute at its place among the values of the object. Objects whose __dict__ was used, and"
        " objects without the attribute, which then comes from the class or is missing, have none there. Set every"
        " attribute in __init__ and leave __dict__ alone.",
        """
        class Particle:
            mass = 1.0                       # some objects have their own mass, some have not

        class Particle:
            def __init__(self, mass=1.0):
                self.mass = mass
        """,
    ),
    Reason(
        "D019",
        "isinstance() of an object that may say that its class is another",
        "Where an object's own class is no subclass, isinstance() asks the object's __class__. Objects of classes that define "
        "__class__ or __getattribute__, as lazy proxies do, are asked by the interpreter. Take the object out of its proxy "
        "before the loop.",
        """
        hits += isinstance(proxy, Target)

        hits += isinstance(target, Target)
        """,
    ),
    Reason(
        "D020",
        "an object ended whose end may run Python code",
        "The last reference went to an object with a `__del__`, with a weak reference that has a callback, or of a C class that kiln "
        "does not know. Compiled code leaves, so that whatever runs finds the program as the interpreter would have it. Where that "
        "is often, the code is compiled again with the release handed to CPython, which costs as much as a call. Use `with` or an "
        "explicit close instead of a finaliser in hot loops.",
        """
        for name in names: total += Handle(name).size()      # each ends in __del__

        handle = Handle()
        for name in names: total += handle.size_of(name)
        """,
    ),
    Reason(
        "D021",
        "a call ended, and the interpreter was wanted or what the code relied on had changed",
        "CPython looks for signals and other threads behind each call of a C function, and so does compiled code; and whatever was "
        "called may have changed a global, a class or a function that the code took for constant. A single one costs next to nothing.",
    ),
    Reason(
        "D022",
        "an operation of CPython's ended; the interpreter was wanted or what the code relied on had changed",
        "As D021, behind what is no call: an item, an attribute, an operator or the end of an object. The interpreter goes on from "
        "there, and attends to what waits where it would have done so anyway.",
    ),
    Reason(
        "D023",
        "an operation on built-in values that Python code may have a part in, or that raises",
        "Dicts, sets, lists and strings are worked on in compiled code as long as no Python code has to run for it. The "
        "interpreter does what raises an exception, such as a missing key or a search that finds nothing, and what asks keys "
        "or items of the program's own classes. A site where that is frequent is handed to CPython from then on.",
        """
        try: n = counts[word]                # raises each time a word is new
        except KeyError: n = 0

        n = counts.get(word, 0)
        """,
    ),
    Reason(
        "D024",
        "an exception left the function",
        "The first of them leave compiled code and go on in the interpreter. Where that is frequent the function is compiled again "
        "and raises by itself, and a callee that was compiled into its caller is called instead.",
    ),
    Reason(
        "D025",
        "an operation of NumPy scalars that warns, or whose result has another class or does not fit",
        "Division by zero, results that become infinite or nan, and integers that wrap around are NumPy's: it warns as it was told "
        "to. Where that is frequent the operation is handed to NumPy, each time. Integers that are meant to wrap are faster as "
        "Python ints with a mask, or in whole-array operations.",
        """
        h = np.uint32(h * 31 + c)        # before: NumPy warns, or would
        h = (h * 31 + c) & 0xFFFFFFFF    # after, with h = int(h) before the loop
        """,
    ),
    Reason(
        "D026",
        "somebody keeps the frame of a function that is about to return",
        "A frame that is kept, by a traceback for example, shows how its function ended: the interpreter does the last step. "
        "An exception that is kept behind its handler keeps the frames that it passed.",
    ),
]

_REFUSALS = [
    Reason(
        "A001",
        "what yields or awaits runs in the interpreter",
        "Of a function with yield or await only the loops are compiled that seldom yield and do not await. Functions that it calls are: put "
        "the computation between two yields into a function or a loop of its own.",
        """
        def rows(data):
            for row in data:
                yield sum(x * x for x in row)

        def rows(data):
            for row in data:
                total = 0.0
                for x in row: total += x * x    # this loop is compiled
                yield total
        """,
    ),
    Reason(
        "A002",
        "class bodies and exec with its own namespaces run in the interpreter",
        "Code whose names live in a dictionary other than its module's is not compiled. Put a loop that is hot "
        "there into a function.",
        """
        class Table:
            squares = []
            for i in range(1_000_000): squares.append(i * i)

        def make_squares():
            return [i * i for i in range(1_000_000)]
        class Table:
            squares = make_squares()
        """,
    ),
    Reason(
        "A004",
        "the region is larger than the compiler's limit",
        "Too many paths or too much inlined code lie in one loop or function. Split it into functions.",
    ),
    Reason(
        "A005",
        "the hot path holds an instruction that only the interpreter runs",
        "The line that the report names holds an operation which kiln does not compile, in the middle of what is "
        "hot. Move it before or behind the loop, or into a function of its own that is called rarely.",
    ),
    Reason(
        "A006",
        "compiled code was left too often",
        "The code was compiled, and left again almost at once, several times over. The exits of the same function "
        "tell why: explain their codes. It runs in the interpreter from then on, as fast as without kiln.",
    ),
    Reason(
        "A009",
        "the compiler failed",
        "A defect in kiln, or no memory for code. The program's results are right: it ran in the interpreter. "
        "KILN_LOG=compile prints what the compiler said; please report it with a small program.",
    ),
    Reason(
        "A010",
        "the recorder saw too little of it",
        "The loop or function was left before a whole round of it could be recorded, several times over: by an "
        "exception, by a return, or because each round takes another path. kiln tries again later.",
    ),
    Reason(
        "A012",
        "the function does too little to gain from being compiled; its callers may take it in",
        "Entering compiled code from the interpreter costs about as much as this function's whole work. A hot loop that "
        "calls it compiles it as a part of itself; nothing needs to be done.",
    ),
    Reason(
        "A013",
        "the region was malformed, or holds an operation that has no machine code",
        "A defect in kiln, found before any machine code was made. The program's results are right: it ran in the "
        "interpreter. The report tells what was wrong; please report it with a small program.",
    ),
    Reason(
        "A014",
        "KILN_EXCLUDE names it",
        "The user wants it interpreted. `kiln -m kiln bisect` finds the functions that make a program go wrong when they are "
        "compiled, for want of a better kiln.",
    ),
]

_KERNELS = [
    Reason(
        "K001",
        "a kernel is launched with few blocks",
        "A block runs on one multiprocessor of a GPU, or on one core; with fewer blocks than there are of these the others are idle. "
        "Let each thread do less, or make the blocks smaller.",
    ),
    Reason(
        "K002",
        "a kernel's block size is no multiple of 32",
        "GPUs run threads in warps of 32. The last warp of a block is filled up with threads that do nothing.",
        """
        kernel[blocks, 100](x)                # 28 of 128 threads are idle
        kernel[(x.size + 127) // 128, 128](x)
        """,
    ),
    Reason(
        "K003",
        "host arrays are copied at each launch",
        "NumPy arrays as arguments are copied to the GPU before the kernel, and back after it. That mostly takes longer than the kernel.",
        """
        for step in range(100):
            kernel[blocks, threads](x)        # copied 200 times
        device = cuda.to_device(x)
        for step in range(100):
            kernel[blocks, threads](device)
        x = device.copy_to_host()
        """,
    ),
    Reason(
        "K004",
        "a kernel of float32 arrays computes with float64",
        "Python's floats are float64, and a float32 times a float64 is a float64, which most GPUs compute at 1/32 or 1/64 of the speed. "
        "Numbers in the kernel and arguments want to be float32, too.",
        """
        y[i] = 0.5 * x[i]                     # in float64
        y[i] = np.float32(0.5) * x[i]
        """,
    ),
    Reason(
        "K005",
        "neighbouring threads access elements that are far apart",
        "The 32 threads of a warp read or write together; where their elements lie side by side that is one access of memory, else up to 32. "
        "threadIdx.x tells neighbours apart, the last index of an array tells neighbouring elements apart.",
        """
        i, j = cuda.grid(2); a[i, j] = 0      # a row apart
        j, i = cuda.grid(2); a[i, j] = 0
        """,
    ),
    Reason(
        "K006",
        "a kernel spills registers",
        "A thread has more values at a time than registers, and keeps some in memory. Split the kernel, keep fewer values, or give it a "
        "larger max_registers.",
    ),
    Reason(
        "K007",
        "few threads of a kernel run at a time",
        "Registers and shared memory of a multiprocessor are divided among the blocks that run there. With few threads nothing is done while "
        "these wait for memory. Smaller blocks, less shared memory or fewer registers let more of them run.",
    ),
]

REASONS = {reason.code: reason for reason in _EXITS + _REFUSALS + _KERNELS}
