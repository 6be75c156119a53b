// For a user without an organization: creates one, or explains how to be invited.

import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ask } from '../data/ask.ts'
import { type Failure, failureOfUnknown } from '../data/failure.ts'
import { CreateOrganizationDocument } from '../generated/documents/session.ts'
import { frameWords } from '../language/en/frame.ts'
import { laterWords } from '../language/en/shared/later.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { chooseOrganization } from './caller.ts'
import { signOut } from './sign-out.ts'

export function FirstOrganization() {
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const create = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const { createOrganization } = await ask(CreateOrganizationDocument, { input: { name } })
      chooseOrganization(createOrganization.id)
    } catch (error) {
      setFailure(failureOfUnknown(error))
    }
  }
  return (
    <form onSubmit={create}>
      <Stack gap="md">
        <Title order={1} size="h2">
          {laterWords.first.title}
        </Title>
        <Text c="dimmed">{laterWords.first.sentence}</Text>
        <TextInput label={laterWords.first.name} required value={name} onChange={event => setName(event.currentTarget.value)} />
        {failure && <ErrorNotice failure={failure} />}
        <Button type="submit" style={{ alignSelf: 'start' }}>
          {laterWords.first.create}
        </Button>
        <Button variant="subtle" color="gray" style={{ alignSelf: 'start' }} onClick={() => void signOut()}>
          {frameWords.signOut}
        </Button>
      </Stack>
    </form>
  )
}
