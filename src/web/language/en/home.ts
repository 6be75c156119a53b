// Words of the widgets on the home page.

import type { DashboardWidgetGrouping, DashboardWidgetKind, SearchType } from '../../generated/schema.ts'
import { room } from '../language.ts'

export const homeWords = room('home', {
  widget: {
    CONTACTS_OVER_TIME: 'New contacts',
    CALLS_OVER_TIME: 'Calls over time',
    CREDITS_OVER_TIME: 'Credits spent',
    ANSWER_RATE: 'Answer rate',
    CONTACTS_BREAKDOWN: 'Contacts',
    CALLS_BREAKDOWN: 'Calls',
    SUGGESTIONS_BREAKDOWN: 'Suggestions',
    ENRICHMENT_JOBS: 'Data enrichment runs',
    TASKS_DUE: 'Tasks due',
    RECENT_CONTACTS: 'Recent contacts',
    RECENT_CALLS: 'Recent calls',
    PENDING_SUGGESTIONS: 'Suggestions to review',
  } satisfies Record<DashboardWidgetKind, string>,
  grouping: {
    COUNTRY: 'country',
    ENDED_REASON: 'reason for ending',
    FIELD: 'field',
    LIFECYCLE_STAGE: 'stage',
    OUTCOME: 'outcome',
    OWNER_USER_ID: 'owner',
    PROVIDER: 'source',
    SOURCE: 'source',
    STATUS: 'status',
    TAG: 'tag',
    VOICE_AGENT_ID: 'voice agent',
  } satisfies Record<DashboardWidgetGrouping, string>,
  by: (widget: string, grouping: string) => `${widget} by ${grouping}`,
  answered: { placed: 'Placed', answered: 'Answered' },
  start: {
    title: (name: string) => `Set up ${name}`,
    sentence: 'From an empty organization to the first call. Each step ticks itself off.',
    done: 'Done',
    stepsLeft: (left: string) => `${left} left in the setup`,
    backToWidgets: 'Show the widgets',
    organization: {
      title: 'Name your organization',
      sentence: 'Invitations show its name. Its country decides how telephone numbers without a country code are read.',
      action: 'Name, country, currency',
    },
    contacts: {
      title: 'Bring your contacts',
      sentence: 'Import a file of your former system, or add the first person by hand. Sample data fills the pages until then.',
      import: 'Import a file',
      add: 'Add a contact',
      sample: 'Try with sample data',
    },
    agent: {
      title: 'Make a voice agent',
      sentence: 'It calls people and speaks by your instructions. Begin with a template, and change its words.',
      action: 'Make a voice agent',
    },
    call: {
      title: 'Hear it',
      sentence: 'Start a trial on the page of your agent: the simulator plays the person who is called, and no phone rings.',
      action: 'Start a trial',
    },
    colleague: {
      title: 'Invite a colleague',
      sentence: 'By mail, or by a link that you pass on.',
      action: 'Invite',
    },
  },
  sample: {
    notice: 'You are looking at sample data: 40 people who do not exist, with their calls and tasks.',
    remove: 'Remove the sample data',
    removed: 'The sample data is removed',
    notAdded: 'The sample data was not added',
    notRemoved: 'The sample data was not removed',
  },
  keyRevoked: 'The key of this widget may be revoked, or the widget removed. Ask for a new address.',
  /** The text of a widget that has nothing to show. */
  fills: {
    CONTACTS_OVER_TIME: 'New contacts are counted here, day by day.',
    CALLS_OVER_TIME: 'Calls of your voice agents are counted here, day by day.',
    CREDITS_OVER_TIME: 'Credits that calls and enrichment spend are added up here.',
    ANSWER_RATE: 'The share of answered calls appears here after the first call.',
    CONTACTS_BREAKDOWN: 'Your contacts are divided here, by stage, owner or country.',
    CALLS_BREAKDOWN: 'Calls are divided here, by their outcome or voice agent.',
    SUGGESTIONS_BREAKDOWN: 'Values that were found for your contacts are counted here.',
    ENRICHMENT_JOBS: 'Runs that look for missing values of contacts are counted here.',
    TASKS_DUE: 'No task is due. Tasks with a date appear here when their day comes.',
    RECENT_CONTACTS: 'The newest contacts appear here.',
    RECENT_CALLS: 'The latest calls of your voice agents appear here.',
    PENDING_SUGGESTIONS: 'Values that wait for your decision appear here.',
  } satisfies Record<DashboardWidgetKind, string>,
  found: { CONTACT: 'Contact', COMPANY: 'Company', CALL: 'Call', AGENT: 'Voice agent', NOTE: 'Note' } satisfies Record<SearchType, string>,
})
