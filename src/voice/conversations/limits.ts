// The limits of conversations.

/** The longest turn of the other side, in characters. */
export const maxSaid = 4000
/** The longest turn of an agent that is stored, in characters. */
export const maxTurn = 10_000
/** The most turns of a conversation. A call of two hours has fewer. */
export const maxTurns = 400
/** The longest that an answer may take, with its tools and the conclusion, in milliseconds. */
export const turnMs = 60_000
/** The same, without the time for storing it. */
export const answerMs = 50_000
