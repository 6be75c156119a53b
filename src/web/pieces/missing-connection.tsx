// Why a step of enrichment is skipped in this installation, and what to do about it: "Connect Hunter" leads to the guide.

import { Anchor, Text } from '@mantine/core'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { stepReason } from '../language/reasons.ts'

const missingSetting = /^not_configured: ([A-Z0-9_]+) is not set$/

/** Whether the reason names a connection that is missing. */
export const isMissingConnection = (reason: string): boolean => missingSetting.test(reason) || reason === 'organization_not_allowed'

export function MissingConnection({ reason }: { reason: string }) {
  const [, setting] = missingSetting.exec(reason) ?? []
  if (setting === undefined)
    return (
      <Text span size="xs" c="dimmed">
        {stepReason(reason)}
      </Text>
    )
  const isModel = setting.startsWith('ENRICHMENT_LLM_')
  return (
    <Anchor
      size="xs"
      href={isModel ? '/docs/guides/server#settings' : '/docs/guides/enrichment#connect-a-paid-provider'}
      target="_blank"
      rel="noreferrer"
    >
      {enrichmentWords.connect(isModel ? enrichmentWords.aModel : nameIn(setting))}
    </Anchor>
  )
}

/** "People Data Labs" for RECIPE_SECRET_PEOPLE_DATA_LABS. */
const nameIn = (setting: string): string =>
  setting
    .replace(/^RECIPE_SECRET_/, '')
    .toLowerCase()
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
