// The interviewer in English.

import type { Sentences } from './sentences.ts'

export const en: Sentences = {
  locale: 'en',
  greeting: name => `Hello, this is ${name}. Do you have a minute?`,
  question: title => `May I ask about this: ${title}?`,
  again: {
    boolean: 'Sorry, is that a yes or a no?',
    number: 'Sorry, which number is it?',
    date: 'Sorry, which day is that?',
    text: 'Sorry, could you say that again?',
    choice: options => `Sorry, which of these is it: ${options}?`,
  },
  readBack: values => `Let me read that back: ${values}. Is that right?`,
  whichIsWrong: titles => `What should I correct: ${titles}?`,
  yes: 'yes',
  no: 'no',
  goodbye: {
    done: 'Thank you, that is all I wanted to know. Goodbye!',
    nothing: 'Thank you for your time. Goodbye!',
    declined: 'That is fine. Thank you for your time. Goodbye!',
    callback: 'Of course, we will call again at another time. Goodbye!',
    doNotCall: 'I understand. We will not call you again. Goodbye.',
    wrongNumber: 'I am sorry, then I have the wrong number. Goodbye!',
    person: 'I will ask a colleague to call you. Goodbye!',
  },
  connecting: 'One moment, I will put you through.',
  stillThere: 'Are you still there?',
  nobodyThere: 'I cannot hear you. We will try again another time. Goodbye!',
  trouble: 'I am sorry, I have a technical problem. We will call you again. Goodbye!',
  oneMoment: 'One moment, please.',
  hears: {
    yes: /\b(?:yes|yeah|yep|yup|sure|correct|right|exactly|of course|absolutely|i do|i am|it is|go ahead|ok|okay|fine|please do)\b/,
    no: /\b(?:no|nope|not|never|wrong|incorrect|don't|isn't|aren't|doesn't)\b/,
    unknown: /\b(?:(?:don't|do not) know|no idea|not sure|rather not|none of your business|skip)\b/,
    doNotCall:
      /\b(?:(?:do not|don't|never|stop) (?:ever )?(?:call|calling|phone|phoning|ring)\b|(?:take|remove) me (?:off|from)\b|unsubscribe)/,
    callback:
      /\b(?:call (?:me )?(?:back|again|later)|another time|not (?:a good|the right) time|in a meeting|(?:i am|i'm) (?:busy|driving))\b/,
    wrongNumber: /\b(?:wrong number|nobody (?:of|by|with) that name|no one (?:of|by|with) that name|wrong person)\b/,
    person: /\b(?:speak|talk) (?:to|with) (?:a |an |some)(?:real |human )?(?:person|human|colleague|agent|one|body)\b|\ba real person\b/,
    goodbye: /\b(?:goodbye|bye|hang up)\b/,
  },
  backchannel: /^(?:mm-?hm+|mhm+|uh-?huh|hm+|aha|ah|oh|okay|ok|yeah|right|i see)[.!,]?$/,
  pressed: keys => `(pressed ${keys})`,
  beforeValue: /^(?:(?:well|so|um|uh|yes),? )?(?:(?:my|our|the) [\p{L} ]{2,30} is|it is|it's|that is|that's|i am|i'm|we are|this is)\s+/iu,
}
