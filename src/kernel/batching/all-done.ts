// Waits for all of several promises.

/** Like `Promise.all`, but waits for all before it throws: a transaction must not be rolled back while some of them still use it. */
export async function allDone<Result>(all: readonly (Result | Promise<Result>)[]): Promise<Result[]> {
  const settled = await Promise.allSettled(all)
  return settled.map(one => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}
