// Widgets on other sites: the keys that read them, and the origins that may frame them.

import { Button, Code, TagsInput } from '@mantine/core'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import {
  EmbedOriginsDocument,
  RevokeWidgetKeyDocument,
  SetEmbedOriginsDocument,
  WidgetKeysDocument,
} from '../generated/documents/settings.ts'
import type { WidgetKeyRowFragment } from '../generated/operations.ts'
import { announce } from '../keyboard/announce.tsx'
import { embeddingWords } from '../language/en/settings/embedding.ts'
import { useIsAway } from '../live/connectivity.ts'
import { confirm } from '../pieces/confirm.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { notify } from '../pieces/notices/refusal.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { exact, Time } from '../pieces/time.tsx'
import { ForAccounts } from '../session/for-accounts.tsx'
import { useMe } from '../session/use-me.ts'
import { Row, Rows, Section } from './section.tsx'

export function Embedding() {
  const { isGuest, organization } = useMe()
  if (isGuest) return <ForAccounts what={embeddingWords.keys} />
  if (!organization) return null
  return (
    <>
      <WidgetKeys />
      <Origins isOff={organization.role !== 'OWNER' && organization.role !== 'ADMIN'} />
    </>
  )
}

function WidgetKeys() {
  const isAway = useIsAway()
  const read = useRead(WidgetKeysDocument, {})
  const { data, reread } = read
  const revocation = useMutationWithProblems(RevokeWidgetKeyDocument)
  const revoke = ({ id, label }: WidgetKeyRowFragment) =>
    confirm({
      title: embeddingWords.revokeQuestion(label),
      loses: embeddingWords.revokeLoses,
      verb: embeddingWords.revokeKey,
      onConfirm: () =>
        void revocation.run({ input: { id } }).then(({ failure: failed }) => {
          if (failed) return
          announce(embeddingWords.isRevoked(label))
          reread()
        }),
    })
  return (
    <Section read={read} height={57} failure={revocation.failure} title={embeddingWords.title} sentence={embeddingWords.sentence}>
      {data?.widgetKeys.length === 0 && (
        <Empty
          sentence={embeddingWords.empty}
          action={
            <ButtonLink to="/home" variant="default">
              {embeddingWords.toWidgets}
            </ButtonLink>
          }
        />
      )}
      {data && data.widgetKeys.length > 0 && (
        <Rows label={embeddingWords.keys}>
          {data.widgetKeys.map(key => (
            <KeyLine key={key.id} widgetKey={key} isOff={isAway} onRevoke={() => revoke(key)} />
          ))}
        </Rows>
      )}
    </Section>
  )
}

function KeyLine({ widgetKey, isOff, onRevoke }: { widgetKey: WidgetKeyRowFragment; isOff: boolean; onRevoke(): void }) {
  const { label, last4, createdAt, lastUsedAt, revokedAt } = widgetKey
  return (
    <Row
      isQuiet={revokedAt !== null}
      name={
        <>
          {label} <Code>...{last4}</Code>
        </>
      }
      facts={
        <>
          <span>{embeddingWords.made(exact(createdAt))}</span>
          {revokedAt ? (
            <span>{embeddingWords.revoked(exact(revokedAt))}</span>
          ) : (
            <span>{lastUsedAt ? embeddingWords.lastUsed(<Time at={lastUsedAt} />) : embeddingWords.neverUsed}</span>
          )}
        </>
      }
      actions={
        !revokedAt && (
          <Button variant="default" disabled={isOff} aria-label={embeddingWords.revokeLabel(label)} onClick={onRevoke}>
            {embeddingWords.revoke}
          </Button>
        )
      }
    />
  )
}

function Origins({ isOff }: { isOff: boolean }) {
  const read = useRead(EmbedOriginsDocument, {})
  const origins = read.data?.organization?.embedOrigins
  return (
    <Section read={read} title={embeddingWords.pages} sentence={embeddingWords.pagesSentence}>
      {origins && <OriginsForm key={origins.join(' ')} origins={origins} isOff={isOff} />}
    </Section>
  )
}

function OriginsForm({ origins, isOff }: { origins: readonly string[]; isOff: boolean }) {
  const write = useWriteForm({
    document: SetEmbedOriginsDocument,
    initialValues: { origins: [...origins] },
    toVariables: input => ({ input }),
    onWritten: () => notify(embeddingWords.areSaved),
  })
  const input = (
    <TagsInput
      label={embeddingWords.origins}
      description={isOff ? embeddingWords.onlyAdmins : embeddingWords.example}
      readOnly={isOff}
      maxTags={20}
      {...write.form.getInputProps('origins')}
    />
  )
  if (isOff) return input
  return (
    <WriteFormView write={write} verb={embeddingWords.save}>
      {input}
    </WriteFormView>
  )
}
