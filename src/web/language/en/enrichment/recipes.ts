// Names and descriptions of the sources that come with Rolocom, by the server's texts. A source of the operator has its own texts.

import { room } from '../../language.ts'

export const recipeWords = room('recipes', {
  'Contact, free sources': 'Contact, free sources',
  "Checks the e-mail address and the telephone number, and looks at Gravatar, the employer's site and earlier calls.":
    "Checks the email address and the phone number, and looks at Gravatar, the employer's website and earlier calls.",
  'Company, own site': 'Company, own website',
  "Reads what the company's site says about it, by schema.org, OpenGraph and its links.": "Reads what the company's website says about it.",
  'Anything, free sources': 'Anything, free sources',
  'Uses whatever of e-mail address, telephone number and domain the options give.':
    'Uses the email address, the phone number and the website, as far as they are known.',
  'Business e-mail address, with Hunter': 'Business email address, with Hunter',
  'Finds the address of somebody whose name and company are known.': 'Finds the address of somebody whose name and company are known.',
  'Contact, with People Data Labs': 'Contact, with People Data Labs',
  'Checks the e-mail address, then asks People Data Labs for whatever the contact has not got.':
    'Checks the email address, then asks People Data Labs for everything that the contact lacks.',
})

/** A title or a description of a source, for people. */
export const recipeText = (text: string): string =>
  Object.hasOwn(recipeWords, text) ? recipeWords[text as keyof typeof recipeWords] : text
