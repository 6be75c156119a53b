// The person's sessions: this browser, others, and applications. Each can be ended.

import { Badge, Button } from '@mantine/core'
import { IconDeviceLaptop, IconTerminal2 } from '@tabler/icons-react'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import {
  RevokeAllSessionsDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  SessionsDocument,
} from '../generated/documents/settings.ts'
import type { SessionRowFragment } from '../generated/operations.ts'
import { announce } from '../keyboard/announce.tsx'
import { sessionWords } from '../language/en/settings/sessions.ts'
import { useIsAway } from '../live/connectivity.ts'
import { confirm } from '../pieces/confirm.ts'
import { exact, Time } from '../pieces/time.tsx'
import { ForAccounts } from '../session/for-accounts.tsx'
import { signOut } from '../session/sign-out.ts'
import { useMe } from '../session/use-me.ts'
import { ConnectedClients } from './connected-clients.tsx'
import { Row, Rows, Section } from './section.tsx'

export function Sessions() {
  const { isGuest } = useMe()
  const isAway = useIsAway()
  const read = useRead(SessionsDocument, {}, { isOn: !isGuest })
  const { data, reread } = read
  const one = useMutationWithProblems(RevokeSessionDocument)
  const others = useMutationWithProblems(RevokeOtherSessionsDocument)
  const all = useMutationWithProblems(RevokeAllSessionsDocument)
  if (isGuest) return <ForAccounts what={sessionWords.title} />
  const sessions = data?.sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) ?? []
  const end = async (session: SessionRowFragment) => {
    const { failure: failed } = await one.run({ input: { id: session.id } })
    if (failed) return
    announce(sessionWords.isEnded)
    reread()
  }
  const endOthers = () =>
    confirm({
      title: sessionWords.endOthersQuestion,
      loses: sessionWords.endOthersLoses,
      verb: sessionWords.endTheOthers,
      onConfirm: () => void others.run({}).then(reread),
    })
  const endAll = () =>
    confirm({
      title: sessionWords.endAllQuestion,
      loses: sessionWords.endAllLoses,
      verb: sessionWords.endAllVerb,
      onConfirm: () => void all.run({}).then(({ failure: failed }) => (failed ? undefined : signOut())),
    })
  return (
    <>
      <Section
        read={read}
        height={170}
        failure={one.failure ?? others.failure ?? all.failure}
        title={sessionWords.title}
        sentence={sessionWords.sentence}
      >
        {sessions.length > 0 && (
          <Rows label={sessionWords.title}>
            {sessions.map(session => (
              <SessionLine key={session.id} session={session} isOff={isAway || one.isRunning} onEnd={() => void end(session)} />
            ))}
          </Rows>
        )}
        {sessions.length > 0 && (
          <Button.Group>
            <Button variant="default" disabled={isAway || sessions.length < 2} onClick={endOthers}>
              {sessionWords.endOthers}
            </Button>
            <Button variant="default" disabled={isAway} onClick={endAll}>
              {sessionWords.endAll}
            </Button>
          </Button.Group>
        )}
      </Section>
      <ConnectedClients />
    </>
  )
}

function SessionLine({ session, isOff, onEnd }: { session: SessionRowFragment; isOff: boolean; onEnd(): void }) {
  const { isCurrent, clientName, device, ipAddress, lastUsedAt, createdAt } = session
  const name = clientName ?? device ?? sessionWords.unknownDevice
  const Icon = clientName ? IconTerminal2 : IconDeviceLaptop
  return (
    <Row
      mark={<Icon size={20} aria-hidden />}
      name={
        <>
          {name}
          {isCurrent && (
            <Badge variant="light" tt="none" fw={500}>
              {sessionWords.thisDevice}
            </Badge>
          )}
        </>
      }
      facts={
        <>
          {clientName && device && <span>{device}</span>}
          {ipAddress && <span>{ipAddress}</span>}
          <span>{sessionWords.lastUsed(<Time at={lastUsedAt} />)}</span>
          <span>{sessionWords.since(exact(createdAt))}</span>
        </>
      }
      actions={
        !isCurrent && (
          <Button variant="default" disabled={isOff} aria-label={sessionWords.endOf(name)} onClick={onEnd}>
            {sessionWords.end}
          </Button>
        )
      }
    />
  )
}
