// The deny list: numbers that are never called, whatever their contact allows.

import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { AllowNumberDocument, DeniedNumbersDocument, DenyNumberDocument } from '../../generated/documents/settings.ts'
import { announce } from '../../keyboard/announce.tsx'
import { confirm } from '../../pieces/confirm.ts'
import { Time } from '../../pieces/time.tsx'
import { useMe } from '../../session/use-me.ts'
import { Row, Rows, Section } from '../section.tsx'

const pageSize = 50

export function DenyList() {
  const { mayWrite, isOff } = useMe()
  const [first, setFirst] = useState(pageSize)
  const read = useRead(DeniedNumbersDocument, { first })
  const { data, reread } = read
  const allowing = useMutationWithProblems(AllowNumberDocument)
  const allow = (phone: string) =>
    confirm({
      title: `Allow calls to ${phone} again?`,
      loses: 'The number and its reason leave the deny list.',
      verb: 'Allow calls',
      onConfirm: () => void allowing.run({ input: { phone } }).then(reread),
    })
  const numbers = data?.deniedNumbers.nodes ?? []
  return (
    <Section
      read={read}
      height={57}
      failure={allowing.failure}
      title="Deny list"
      sentence="Numbers that are never called, whatever their contact allows."
    >
      {mayWrite && <Deny onDenied={reread} />}
      {data && numbers.length === 0 && (
        <Text size="sm" c="dimmed">
          No number is denied.
        </Text>
      )}
      {numbers.length > 0 && (
        <Rows label="Denied numbers">
          {numbers.map(({ id, phone, reason, createdAt, createdBy }) => (
            <Row
              key={id}
              name={phone}
              facts={
                <>
                  {reason && <span>{reason}</span>}
                  <span>
                    Denied <Time at={createdAt} />
                    {createdBy.name && ` by ${createdBy.name}`}
                  </span>
                </>
              }
              actions={
                <Button variant="default" disabled={isOff} aria-label={`Allow ${phone}`} onClick={() => allow(phone)}>
                  Allow
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      {data?.deniedNumbers.pageInfo.hasNextPage && (
        <Button variant="default" onClick={() => setFirst(first + pageSize)}>
          Show more
        </Button>
      )}
    </Section>
  )
}

function Deny({ onDenied }: { onDenied(): void }) {
  const write = useWriteForm({
    document: DenyNumberDocument,
    initialValues: { phone: '', reason: '' },
    validate: { phone: value => (value.trim() === '' ? 'Enter a number, such as +49 30 1234567' : null) },
    // People write numbers in groups of digits; the server takes E.164.
    toVariables: ({ phone, reason }) => ({ input: { phone: phone.replace(/[\s().-]/g, ''), ...(reason && { reason }) } }),
    onWritten: ({ denyNumber }) => {
      announce(`${denyNumber.phone} is denied`)
      write.form.reset()
      onDenied()
    },
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb="Deny number">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput label="Number" type="tel" placeholder="+49 30 1234567" {...form.getInputProps('phone')} />
        <TextInput label="Reason" placeholder="Asked not to be called" {...form.getInputProps('reason')} />
      </SimpleGrid>
    </WriteFormView>
  )
}
