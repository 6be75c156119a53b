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
import { useIsAway } from '../live/connectivity.ts'
import { confirm } from '../pieces/confirm.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { exact, Time } from '../pieces/time.tsx'
import { ForAccounts } from '../session/for-accounts.tsx'
import { useMe } from '../session/use-me.ts'
import { Row, Rows, Section } from './section.tsx'

export function Embedding() {
  const { isGuest, organization } = useMe()
  if (isGuest) return <ForAccounts what="Keys of widgets" />
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
      title: `Revoke "${label}"?`,
      loses: 'Pages with this key show an error from now on. That cannot be undone.',
      verb: 'Revoke key',
      onConfirm: () =>
        void revocation.run({ input: { id } }).then(({ failure: failed }) => {
          if (failed) return
          announce(`${label} is revoked`)
          reread()
        }),
    })
  return (
    <Section
      read={read}
      height={57}
      failure={revocation.failure}
      title="Keys of your widgets"
      sentence="Each key shows one widget of your dashboard on another site, and gives no other access."
    >
      {data?.widgetKeys.length === 0 && (
        <Empty
          sentence="A widget gets a key by Embed elsewhere, in its options."
          action={
            <ButtonLink to="/home" variant="default">
              Go to the widgets
            </ButtonLink>
          }
        />
      )}
      {data && data.widgetKeys.length > 0 && (
        <Rows label="Keys of widgets">
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
          <span>Made {exact(createdAt)}</span>
          {revokedAt ? (
            <span>Revoked {exact(revokedAt)}</span>
          ) : (
            <span>{lastUsedAt ? <>Last used {<Time at={lastUsedAt} />}</> : 'Never used'}</span>
          )}
        </>
      }
      actions={
        !revokedAt && (
          <Button variant="default" disabled={isOff} aria-label={`Revoke ${label}`} onClick={onRevoke}>
            Revoke
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
    <Section
      read={read}
      title="Pages that may frame widgets"
      sentence="For all members of the organization. Browsers refuse to show a widget on any other page."
    >
      {origins && <OriginsForm key={origins.join(' ')} origins={origins} isOff={isOff} />}
    </Section>
  )
}

function OriginsForm({ origins, isOff }: { origins: readonly string[]; isOff: boolean }) {
  const write = useWriteForm({
    document: SetEmbedOriginsDocument,
    initialValues: { origins: [...origins] },
    toVariables: input => ({ input }),
    onWritten: () => announce('The origins are saved'),
  })
  const input = (
    <TagsInput
      label="Origins"
      description={isOff ? 'Owners and admins can change them.' : 'Such as https://intranet.example.com. Enter after each.'}
      readOnly={isOff}
      maxTags={20}
      {...write.form.getInputProps('origins')}
    />
  )
  if (isOff) return input
  return (
    <WriteFormView write={write} verb="Save origins">
      {input}
    </WriteFormView>
  )
}
