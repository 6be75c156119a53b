// Words of the page for strangers.

import { room } from '../../language.ts'

export const welcomeWords = room('welcome', {
  reference: 'API reference',
  signIn: 'Sign in',
  title: 'Contacts, calls and the assistants that work on them',
  sentence:
    'Rolocom keeps the people you talk to, places voice calls, fills in missing values and runs assistants. It is one server with one API, and the API offers everything on these pages.',
  create: 'Create an account',
  guest: 'Look around as a guest',
  guestSentence: 'A guest reads a demo organization, and needs no account.',
  parts: {
    contacts: {
      name: 'Contacts, companies and deals',
      sentence:
        'Notes, tasks, tags, saved views and fields of your own. Duplicates are found and merged, and a merge can be undone. Import and export files.',
    },
    calls: {
      name: 'Calls',
      sentence: 'Voice agents call numbers, and record the transcript and the outcome. Without a provider, a simulator answers.',
    },
    enrichment: {
      name: 'Data enrichment',
      sentence: 'Sources look for what a contact lacks, and suggest it with its evidence. You accept or decline each, or set a rule.',
    },
    assistants: {
      name: 'Assistants',
      sentence: 'Assistants wake on time or by webhooks, use your data within limits, and keep every step.',
    },
    credits: {
      name: 'Credits',
      sentence:
        'You pay from a prepaid balance. Credits are reserved before the work and charged after it, and a ledger lists every entry.',
    },
    history: {
      name: 'History',
      sentence: 'Every change shows its author, the way it came, and the earlier value. Changes arrive live.',
    },
  },
  picture: 'The home page of Rolocom: new contacts, contacts by stage, calls over time and the answer rate of thirty days',
  developers: {
    title: 'For developers',
    sentence:
      'One GraphQL schema is the platform. REST, webhooks and the tools of agents run stored documents of it, so a rule holds for every caller. This request works as it stands, as a guest:',
    graphiql: 'the whole schema, to try in the browser',
    reference: 'every REST address with examples',
    guides: 'Guides',
    guidesSentence: 'credentials, retries, lists, live updates',
    request: (language: string) => `The request, ${language}`,
    send: 'Send it',
    copy: 'Copy',
    copied: 'Copied',
    answer: 'The answer',
  },
})
