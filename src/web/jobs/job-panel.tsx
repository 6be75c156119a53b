// A job in the panel: its steps and their costs, its result, and buttons to cancel or retry.

import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { Panel } from '../frame/panel.tsx'
import { CancelEnrichmentJobDocument, EnrichmentJobDocument, RetryEnrichmentJobDocument } from '../generated/documents/jobs.ts'
import type { EnrichmentJobQuery } from '../generated/operations.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { peopleWords } from '../language/en/people.ts'
import { runWords } from '../language/en/screens/runs.ts'
import { percent } from '../language/format.ts'
import { fieldLabel, fieldText } from '../language/values.ts'
import { CopyText } from '../pieces/copy-text.tsx'
import { AnchorLink } from '../pieces/links.tsx'
import { amount } from '../pieces/money.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { Status } from '../pieces/status.tsx'
import { Time } from '../pieces/time.tsx'
import { useMe } from '../session/use-me.ts'
import { jobTones, targetName } from './columns.tsx'
import classes from './jobs.module.css'
import { RecipeName } from './recipe-name.tsx'
import { Steps } from './steps.tsx'

export function JobPanel({ id, onClose }: { id: string | undefined; onClose(): void }) {
  return (
    <Panel isOpen={id !== undefined} isInAddress onClose={onClose} title={runWords.run}>
      {id && <JobById id={id} />}
    </Panel>
  )
}

function JobById({ id }: { id: string }) {
  const read = useRead(EnrichmentJobDocument, { id })
  const job = read.data?.enrichmentJob
  return job ? <Job job={job} /> : <Unread read={read} />
}

type JobData = NonNullable<EnrichmentJobQuery['enrichmentJob']>

function Job({ job }: { job: JobData }) {
  const { id, jobStatus: status, result, contact, recipe, recipeVersion, attempts, jobCredits, creditsReserved, createdBy, createdAt } = job
  const isOpen = status === 'QUEUED' || status === 'RUNNING'
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        {contact ? (
          <AnchorLink to="/contacts/$contactId" params={{ contactId: contact.id }} fw={600} className={classes.anywhere} lineClamp={3}>
            {targetName(job)}
          </AnchorLink>
        ) : (
          <Text fw={600}>{targetName(job)}</Text>
        )}
        <Group gap="md">
          <Status tone={jobTones[status]} label={enrichmentWords.runStatus[status]} />
          {result && <Text size="sm">{enrichmentWords.result[result]}</Text>}
        </Group>
        <Text size="sm" c="dimmed">
          <RecipeName recipe={recipe} />
          {runWords.askedFor(recipeVersion, createdBy.name ?? peopleWords.actor[createdBy.type])} <Time at={createdAt} />.
          {attempts > 1 && ` ${runWords.attempts(attempts)}`}
        </Text>
      </Stack>
      {job.error && (
        <Text size="sm" className={classes.error}>
          {job.error}
        </Text>
      )}
      <Text size="sm">
        {isOpen ? runWords.reserved(amount(creditsReserved)) : runWords.cost(jobCredits === 0 ? null : amount(jobCredits))}
      </Text>
      <Acts job={job} isOpen={isOpen} />
      <Steps steps={job.steps} isOpen={isOpen} />
      {job.suggestions.length > 0 && (
        <section>
          <Title order={3} size="h4" mb="xs">
            {runWords.found}
          </Title>
          <ul className={classes.list}>
            {job.suggestions.map(({ id: suggestionId, field, proposedValue, confidence, status: decided }) => (
              <li key={suggestionId} className={classes.found}>
                <span>
                  {fieldLabel(field)}: <b className={classes.anywhere}>{fieldText(field, proposedValue)}</b>
                </span>
                {decided === 'PENDING' ? (
                  <AnchorLink to="/suggestions" search={{ open: suggestionId, job: id }} size="sm">
                    {runWords.decide}
                  </AnchorLink>
                ) : (
                  <Text span size="sm" c="dimmed">
                    {enrichmentWords.suggestionStatus[decided]}
                  </Text>
                )}
                <Text span size="sm" c="dimmed">
                  {percent(confidence)}
                </Text>
              </li>
            ))}
          </ul>
        </section>
      )}
      <CopyText text={id} label={runWords.theId} />
    </Stack>
  )
}

function Acts({ job: { id, jobStatus: status }, isOpen }: { job: JobData; isOpen: boolean }) {
  const cancel = useMutationWithProblems(CancelEnrichmentJobDocument)
  const retry = useMutationWithProblems(RetryEnrichmentJobDocument)
  const { isGuest, isOff } = useMe()
  const failure = cancel.failure ?? retry.failure
  if (status === 'COMPLETED') return null
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {isOpen ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStop />}
            loading={cancel.isRunning}
            disabled={isOff}
            onClick={() => void cancel.run({ input: { id } })}
          >
            {isGuest ? runWords.signUpToCancel : runWords.cancel}
          </Button>
        ) : (
          <Button
            leftSection={<IconRefresh />}
            loading={retry.isRunning}
            disabled={isOff}
            onClick={() => void retry.run({ input: { id } })}
          >
            {isGuest ? runWords.signUpToTry : runWords.again}
          </Button>
        )}
      </Group>
      {failure && <ErrorNotice failure={failure} />}
    </Stack>
  )
}
