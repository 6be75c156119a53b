// The templates of voice agents: complete agents, which a person changes to their own. Their addresses are /agents?new=appointment-reminder and so on.

import { IconCalendarEvent, IconFilter, IconRefresh } from '@tabler/icons-react'
import { agentTemplates } from '../../language/en/agents.ts'
import { type AgentValues, emptyAgent } from './agent-values.ts'
import type { TemplateId } from './steps.ts'
import { languageOfWords } from './voices.ts'
import { newWanted, type Wanted } from './wanted.ts'

export const templateIcons = {
  'appointment-reminder': IconCalendarEvent,
  'lead-qualification': IconFilter,
  'renewal-check': IconRefresh,
} satisfies Record<TemplateId, typeof IconFilter>

const wanted = {
  'appointment-reminder': ({ finds }): Wanted[] => [
    {
      ...newWanted(finds.comes.title, '', 'choice'),
      key: 'appointment',
      options: [...finds.comes.options],
      question: finds.comes.question,
    },
    { ...newWanted(finds.newTime.title), key: 'better_time', question: finds.newTime.question },
    { ...newWanted(finds.email.title, 'email'), key: 'email', question: finds.email.question },
  ],
  'lead-qualification': ({ finds }) => [
    { ...newWanted(finds.jobTitle.title, 'job_title'), key: 'job_title', question: finds.jobTitle.question },
    { ...newWanted(finds.need.title), key: 'need', question: finds.need.question },
    { ...newWanted(finds.timing.title, '', 'choice'), key: 'timing', options: [...finds.timing.options], question: finds.timing.question },
    { ...newWanted(finds.budget.title, '', 'yesNo'), key: 'has_budget', question: finds.budget.question },
    { ...newWanted(finds.meeting.title, '', 'yesNo'), key: 'wants_meeting', question: finds.meeting.question },
  ],
  'renewal-check': ({ finds }) => [
    { ...newWanted(finds.renews.title, '', 'choice'), key: 'renews', options: [...finds.renews.options], question: finds.renews.question },
    { ...newWanted(finds.ends.title, '', 'date'), key: 'contract_ends', question: finds.ends.question },
    { ...newWanted(finds.seats.title, '', 'number'), key: 'seats', question: finds.seats.question },
    { ...newWanted(finds.reason.title), key: 'reason', question: finds.reason.question },
  ],
} satisfies { [Id in TemplateId]: (words: (typeof agentTemplates)[Id]) => Wanted[] }

/** The form filled by a template; empty without one. */
export function valuesFrom(template: TemplateId | null): AgentValues {
  if (template === null) return emptyAgent
  const { name, instructions, firstMessage } = agentTemplates[template]
  // An agent that speaks these words in another language would read them with its sounds.
  return { ...emptyAgent, name, instructions, firstMessage, language: languageOfWords, extraction: wantedFrom(template) }
}

function wantedFrom(template: TemplateId): Wanted[] {
  if (template === 'appointment-reminder') return wanted[template](agentTemplates[template])
  if (template === 'lead-qualification') return wanted[template](agentTemplates[template])
  return wanted[template](agentTemplates[template])
}
