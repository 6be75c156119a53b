// The steps of a job in order: provider, result, duration and cost.

import { Text, Title } from '@mantine/core'
import type { EnrichmentJobQuery } from '../generated/operations.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { runWords } from '../language/en/screens/runs.ts'
import { locale } from '../language/language.ts'
import { stepReason } from '../language/reasons.ts'
import { fieldLabel, wordOf } from '../language/values.ts'
import { isMissingConnection, MissingConnection } from '../pieces/missing-connection.tsx'
import { Credits } from '../pieces/money.tsx'
import { Status } from '../pieces/status.tsx'
import classes from './jobs.module.css'

type Step = NonNullable<EnrichmentJobQuery['enrichmentJob']>['steps'][number]

const tones = { FAILED: 'failing', FOUND: 'good', NO_DATA: 'quiet', SKIPPED: 'quiet' } as const
const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })

export function Steps({ steps, isOpen }: { steps: readonly Step[]; isOpen: boolean }) {
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {runWords.steps}
      </Title>
      {steps.length === 0 && (
        <Text size="sm" c="dimmed">
          {isOpen ? runWords.noneYet : runWords.none}
        </Text>
      )}
      <ol className={classes.list}>
        {steps.map(({ step, provider, status, credits, durationMs, error }) => (
          <li key={`${step} ${provider}`} className={classes.step}>
            <span className={classes.anywhere}>
              <Text span size="sm" fw={500}>
                {fieldLabel(step)}
              </Text>{' '}
              <Text span size="sm" c="dimmed">
                {provider !== step && wordOf(enrichmentWords.provider, provider)}
              </Text>
            </span>
            <Status tone={tones[status]} label={enrichmentWords.stepStatus[status]} />
            <Text span size="sm" c="dimmed" className={classes.numbers}>
              {durationMs < 1000 ? `${durationMs} ms` : `${seconds.format(durationMs / 1000)} s`}
              {credits > 0 && (
                <>
                  , <Credits value={credits} />
                </>
              )}
            </Text>
            {error && (
              <Text size="xs" c="dimmed" component="div" className={classes.why}>
                {isMissingConnection(error) ? <MissingConnection reason={error} /> : stepReason(error)}
              </Text>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
