# An exception at iteration k, for k around every threshold a compiler might use; locals in the frame are exact.


def work(count, k):
    a, b, c = 0, 0.0, (0, 1)
    flag = False
    items = [0] * 10
    for i in range(count):
        a += i
        b += 0.5
        flag = not flag
        c = (c[1], c[0])
        items[i % 10] += 1
        x = 1 // (i - k)
        a += x
    return a, b, c


def locals_at_failure(count, k):
    try:
        return work(count, k)
    except ZeroDivisionError as error:
        frame = error.__traceback__.tb_next.tb_frame
        return error.__traceback__.tb_next.tb_lineno, sorted(frame.f_locals.items())


def while_version(k):
    i = total = 0
    while True:
        total += [1, 2, 3, 4][i if i > k else 0]
        i += 1


for k in (
    0,
    1,
    2,
    3,
    255,
    256,
    257,
    299,
    300,
    301,
    499,
    500,
    501,
    511,
    512,
    513,
    999,
    1000,
    1001,
    1002,
    1023,
    1024,
    1025,
    1039,
    1040,
    2047,
    2048,
    2049,
    3000,
    4095,
    4096,
    4097,
    5000,
    5998,
    5999,
    6000,
):
    print(k, locals_at_failure(6000, k))
for k in (1, 1000, 1023, 1024, 2048, 6000):
    try:
        while_version(k)
    except IndexError as error:
        frame = error.__traceback__.tb_next
        print(k, frame.tb_lineno, frame.tb_frame.f_locals)
