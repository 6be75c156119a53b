// The sentences of the interviewer in one language, and the words that it understands.

export interface Sentences {
  /** BCP 47, for dates and lists. */
  locale: string
  greeting(name: string): string
  /** Asks for a field by its title. */
  question(title: string): string
  /** Asks again, after an answer that was not understood. */
  again: { boolean: string; number: string; date: string; text: string; choice(options: string): string }
  readBack(values: string): string
  whichIsWrong(titles: string): string
  yes: string
  no: string
  goodbye: Record<'done' | 'nothing' | 'declined' | 'callback' | 'doNotCall' | 'wrongNumber' | 'person', string>
  /** Says that the call is transferred. */
  connecting: string
  /** Asks whether somebody is there, after a silence. */
  stillThere: string
  /** Says goodbye after a second silence. */
  nobodyThere: string
  /** Apologizes when no model answers, and ends the conversation. */
  trouble: string
  /** Says that a tool takes a moment. */
  oneMoment: string
  /** Patterns of words of the other side, in lower case. */
  hears: Record<'yes' | 'no' | 'unknown' | 'doNotCall' | 'callback' | 'wrongNumber' | 'person' | 'goodbye', RegExp>
  /** Words of somebody who only listens, such as "mm-hm". The whole text must be such words. */
  backchannel: RegExp
  /** Keys that were pressed, as the history holds them. */
  pressed(keys: string): string
  /** Words before a value, such as "my name is". Matched at the start. */
  beforeValue: RegExp
}
