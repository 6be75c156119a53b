// Signs in a device without a browser, such as a command line, by the short code that it shows.

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { go } from '../../address/go.ts'
import type { PageProps } from '../../app/pages.ts'
import { ask } from '../../data/ask.ts'
import { type Failure, failureOfUnknown } from '../../data/failure.ts'
import { ApproveDeviceDocument, DenyDeviceDocument, DeviceDocument } from '../../generated/documents/sign-in.ts'
import type { DeviceFieldsFragment } from '../../generated/operations.ts'
import { FailureAlert } from '../../pieces/states/failure-alert.tsx'
import { LateSkeleton } from '../../pieces/states/late-skeleton.tsx'
import { exact } from '../../pieces/time.tsx'
import { forgetCaller, useCaller } from '../../session/caller.ts'
import { Gate } from '../../session/gate.tsx'
import { Facts } from '../facts.tsx'

export function DeviceScreen({ address: { searchParams } }: PageProps) {
  const code = searchParams.get('user_code')
  const caller = useCaller()
  if (caller.kind !== 'user') return <SignInFirst code={code} />
  return code ? <DeviceQuestion key={code} code={code} /> : <CodeForm />
}

function SignInFirst({ code }: { code: string | null }) {
  const signIn = () => {
    go(`/sign-in?${new URLSearchParams({ back: code ? addressOf(code) : '/device' })}`)
    // Ends the guest's session: a guest has no account for the device.
    forgetCaller()
  }
  return (
    <Gate title="Sign in a device" sentence="First sign in here. Then you are asked about the device.">
      <Button size="sm" onClick={signIn}>
        Sign in
      </Button>
    </Gate>
  )
}

// Codes that the person has typed. A code from a link must be typed as well: the sender of the link knows it, but only the owner of the device
// sees it there.
const typedCodes = new Set<string>()
const lettersOf = (code: string) => code.toUpperCase().replace(/[^A-Z]/g, '')

const addressOf = (code: string) => `/device?${new URLSearchParams({ user_code: code })}`

function CodeForm({ failure }: { failure?: Failure | null }) {
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return
    typedCodes.add(lettersOf(code))
    go(addressOf(code.trim()))
  }
  return (
    <Gate title="Sign in a device" sentence="Type the code that the device or the command line shows.">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="Code"
            placeholder="BCDF-GHJK"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            data-autofocus
            ff="monospace"
            value={code}
            onChange={event => setCode(event.currentTarget.value.toUpperCase())}
          />
          {failure && <FailureAlert failure={failure} />}
          <Button type="submit" size="sm" disabled={code.trim() === ''}>
            Go on
          </Button>
        </Stack>
      </form>
    </Gate>
  )
}

function DeviceQuestion({ code }: { code: string }) {
  const [device, setDevice] = useState<DeviceFieldsFragment | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [typed, setTyped] = useState('')
  const isTyped = typedCodes.has(lettersOf(code)) || lettersOf(typed) === lettersOf(code)
  useEffect(() => {
    ask(DeviceDocument, { userCode: code }).then(
      ({ deviceAuthorization }) => setDevice(deviceAuthorization ?? null),
      (error: unknown) => setFailure(failureOfUnknown(error)),
    )
  }, [code])
  const decide = async (isAllowed: boolean) => {
    setRunning(true)
    setFailure(null)
    try {
      const input = { userCode: code }
      setDevice(
        isAllowed ? (await ask(ApproveDeviceDocument, { input })).approveDevice : (await ask(DenyDeviceDocument, { input })).denyDevice,
      )
    } catch (error) {
      setFailure(failureOfUnknown(error))
    }
    setRunning(false)
  }
  if (!device) return failure ? <CodeForm failure={failure} /> : <Gate title="Sign in a device">{<LateSkeleton height={36} />}</Gate>
  if (device.status === 'APPROVED')
    return (
      <Gate
        title={`${device.clientName} is signed in`}
        sentence="Go back to it; you can close this page. Its session is listed under Settings."
      />
    )
  if (device.status === 'DENIED')
    return <Gate title={`${device.clientName} was refused`} sentence="It was given nothing. You can close this page." />
  return (
    <Gate title={`Sign in ${device.clientName}?`} sentence="Go on only if you have just started it, and it shows this code.">
      <Facts
        facts={[
          ...(typedCodes.has(lettersOf(code)) ? [['Code', device.userCode] as const] : []),
          ['Requested', exact(device.createdAt)],
          ['From', device.ipAddress ?? 'An unknown address'],
          ['Program', device.userAgent ?? 'Unknown'],
          ['It may', 'do everything that you may, in your organizations, until you end its session under Settings.'],
        ]}
      />
      {!typedCodes.has(lettersOf(code)) && (
        <TextInput
          label="Code that the device shows"
          description="If you see no code on a device of yours, refuse: somebody else sent you this link."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          ff="monospace"
          value={typed}
          onChange={event => setTyped(event.currentTarget.value.toUpperCase())}
        />
      )}
      {failure && <FailureAlert failure={failure} />}
      <Group gap="xs">
        <Button size="sm" loading={isRunning} disabled={!isTyped} onClick={() => void decide(true)}>
          Sign it in
        </Button>
        <Button size="sm" variant="default" disabled={isRunning} onClick={() => void decide(false)}>
          Refuse
        </Button>
      </Group>
    </Gate>
  )
}
