// Work that was running when its process died: a kill, a lack of memory, a power cut. It may be the reason.
//
// The rule, for every kind of work: it is tried again twice. When its process has died three times it fails with that reason, however many
// attempts its own errors would have. A process that stops gives its work back, which counts as nothing. New kinds count in the statement that
// claims again what a dead worker held (see `workers_lost`).

/** How many processes may die at one piece of work. */
export const maxDeaths = 3

export const deathReason = `the process that worked on it ended ${maxDeaths} times`
