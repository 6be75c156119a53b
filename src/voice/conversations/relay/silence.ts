// Notices that nobody speaks. A carrier does not always tell when the agent has finished speaking, so the time of speech is estimated.

// 65 ms: about 15 characters a second, the pace of a calm voice.
const msPerCharacter = 65
const longestMs = 60_000

export interface Silence {
  /** Waits from the end of these words of the agent. */
  after(words: string): void
  /** The agent has finished speaking. */
  onSpoken(): void
  /** Resolves when these words have been spoken. */
  spoken(words: string): Promise<void>
  /** Somebody speaks. */
  stop(): void
}

/** `onSilence` gets how often there was a silence since somebody last spoke. */
export function createSilence(silenceMs: number, onSilence: (count: number) => void): Silence {
  let timer: NodeJS.Timeout | undefined
  let count = 0
  let finish: (() => void) | undefined
  const speechMs = (words: string) => Math.min(words.length * msPerCharacter, longestMs)
  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => onSilence(++count), ms)
  }
  return {
    after: words => wait(speechMs(words) + silenceMs),
    onSpoken() {
      finish?.()
      if (timer) wait(silenceMs)
    },
    spoken: words =>
      new Promise(resolve => {
        const late = setTimeout(resolve, speechMs(words))
        finish = () => {
          clearTimeout(late)
          resolve()
        }
      }),
    stop() {
      clearTimeout(timer)
      timer = undefined
      count = 0
      finish?.()
    },
  }
}
