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
  if (isGuest) return <ForAccounts what="Sessions" />
  const sessions = data?.sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) ?? []
  const end = async (session: SessionRowFragment) => {
    const { failure: failed } = await one.run({ input: { id: session.id } })
    if (failed) return
    announce('The session is ended')
    reread()
  }
  const endOthers = () =>
    confirm({
      title: 'End all other sessions?',
      loses: 'Every other browser and application has to sign in again. This one stays.',
      verb: 'End the others',
      onConfirm: () => void others.run({}).then(reread),
    })
  const endAll = () =>
    confirm({
      title: 'End all sessions?',
      loses: 'You are signed out everywhere, here too, and connected applications are disconnected.',
      verb: 'End all sessions',
      onConfirm: () => void all.run({}).then(({ failure: failed }) => (failed ? undefined : signOut())),
    })
  return (
    <>
      <Section
        read={read}
        height={170}
        failure={one.failure ?? others.failure ?? all.failure}
        title="Sessions"
        sentence="Browsers and applications that are signed in as you. A session ends by itself 30 days after its last use."
      >
        {sessions.length > 0 && (
          <Rows label="Sessions">
            {sessions.map(session => (
              <SessionLine key={session.id} session={session} isOff={isAway || one.isRunning} onEnd={() => void end(session)} />
            ))}
          </Rows>
        )}
        {sessions.length > 0 && (
          <Button.Group>
            <Button variant="default" disabled={isAway || sessions.length < 2} onClick={endOthers}>
              End all others
            </Button>
            <Button variant="default" disabled={isAway} onClick={endAll}>
              End all, here too
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
  const name = clientName ?? device ?? 'Unknown device'
  const Icon = clientName ? IconTerminal2 : IconDeviceLaptop
  return (
    <Row
      mark={<Icon size={20} aria-hidden />}
      name={
        <>
          {name}
          {isCurrent && (
            <Badge variant="light" tt="none" fw={500}>
              This device
            </Badge>
          )}
        </>
      }
      facts={
        <>
          {clientName && device && <span>{device}</span>}
          {ipAddress && <span>{ipAddress}</span>}
          <span>
            Last used <Time at={lastUsedAt} />
          </span>
          <span>Since {exact(createdAt)}</span>
        </>
      }
      actions={
        !isCurrent && (
          <Button variant="default" disabled={isOff} aria-label={`End the session of ${name}`} onClick={onEnd}>
            End
          </Button>
        )
      }
    />
  )
}
