# async generators in hot code: async for, comprehensions, asend, athrow, aclose, context variables, except* around them.
import asyncio
import contextvars

depth = contextvars.ContextVar("depth", default=0)


async def scaled(count):
    for i in range(count):
        token = depth.set(depth.get() + i)
        try:
            yield i * depth.get()
        finally:
            depth.reset(token)


async def echo(log):
    value = None
    try:
        while True:
            try:
                value = yield value
            except KeyError as error:
                value = ("caught", error.args[0])
    finally:
        log.append("closed")


async def drive(rounds):
    log = []
    answers = []
    for i in range(rounds):
        generator = echo(log)
        await generator.asend(None)
        answers.append(await generator.asend(i))
        if i % 3 == 0:
            answers.append(await generator.athrow(KeyError(i)))
        if i % 5 == 0:
            try:
                await generator.athrow(ValueError(i))
            except ValueError as error:
                answers.append(error.args)
        else:
            await generator.aclose()
    return len(log), answers[-5:]


def split(i):
    try:
        try:
            if i % 3 == 0:
                raise ExceptionGroup("both", [ValueError(i), TypeError(i)])
            if i % 3 == 1:
                raise ValueError(i)
        except* ValueError as group:
            kept = [error.args[0] for error in group.exceptions]
            if i % 2:
                raise KeyError(i)
        except* TypeError as group:
            kept = len(group.exceptions)
        else:
            kept = "nothing"
    except BaseException as error:
        return type(error).__name__, str(error)
    return kept


async def main():
    total = 0
    for i in range(200):
        async for value in scaled(20):
            total += value
        total += sum([value async for value in scaled(5) if value % 2])
        total += len({value: i async for value in scaled(4)})
        if i % 50 == 0:
            await asyncio.sleep(0)
    print(total, depth.get())
    print(await drive(600))


asyncio.run(main())
print([split(i) for i in range(1200)][-7:])
