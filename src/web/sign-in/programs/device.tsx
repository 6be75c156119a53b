// Signs in a device without a browser, such as a command line, by the short code that it shows.

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { go } from '../../address/go.ts'
import type { PageProps } from '../../app/pages.ts'
import { ask } from '../../data/ask.ts'
import { type Failure, failureOfUnknown } from '../../data/failure.ts'
import { ApproveDeviceDocument, DenyDeviceDocument, DeviceDocument } from '../../generated/documents/sign-in.ts'
import type { DeviceFieldsFragment } from '../../generated/operations.ts'
import { programWords } from '../../language/en/account/programs.ts'
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
    <Gate title={programWords.device} sentence={programWords.signInFirst}>
      <Button size="sm" onClick={signIn}>
        {programWords.signIn}
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
    <Gate title={programWords.device} sentence={programWords.typeCode}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={programWords.code}
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
            {programWords.goOn}
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
  if (!device) return failure ? <CodeForm failure={failure} /> : <Gate title={programWords.device}>{<LateSkeleton height={36} />}</Gate>
  if (device.status === 'APPROVED') return <Gate title={programWords.isSignedIn(device.clientName)} sentence={programWords.closePage} />
  if (device.status === 'DENIED') return <Gate title={programWords.wasRefused(device.clientName)} sentence={programWords.givenNothing} />
  return (
    <Gate title={programWords.signInQuestion(device.clientName)} sentence={programWords.onlyIfStarted}>
      <Facts
        facts={[
          ...(typedCodes.has(lettersOf(code)) ? [[programWords.code, device.userCode] as const] : []),
          [programWords.requested, exact(device.createdAt)],
          [programWords.from, device.ipAddress ?? programWords.unknownAddress],
          [programWords.program, device.userAgent ?? programWords.unknown],
          [programWords.may, programWords.everything],
        ]}
      />
      {!typedCodes.has(lettersOf(code)) && (
        <TextInput
          label={programWords.shownCode}
          description={programWords.noCode}
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
          {programWords.signItIn}
        </Button>
        <Button size="sm" variant="default" disabled={isRunning} onClick={() => void decide(false)}>
          {programWords.refuse}
        </Button>
      </Group>
    </Gate>
  )
}
