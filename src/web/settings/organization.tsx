// The organization: its name, country and currency, and the person's other organizations, to switch to, leave or create.

import { Badge, Button, Group, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useRead } from '../data/use-read.ts'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Panel } from '../frame/panel.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import { AddOrganizationDocument, OrganizationDetailsDocument, SaveOrganizationDocument } from '../generated/documents/settings.ts'
import type { OrganizationDetailsQuery } from '../generated/operations.ts'
import { countryOptions, currencyOptions } from '../language/countries.ts'
import { peopleWords } from '../language/en/people.ts'
import { organizationWords } from '../language/en/settings/organization.ts'
import { useIsAway } from '../live/connectivity.ts'
import { CopyIcon } from '../pieces/copy-text.tsx'
import { notify } from '../pieces/notices/refusal.tsx'
import { chooseOrganization } from '../session/caller.ts'
import { ForAccounts } from '../session/for-accounts.tsx'
import { useMe } from '../session/use-me.ts'
import { Archive } from './archive.tsx'
import { Leave } from './leave.tsx'
import { organizationRoute } from './route.tsx'
import { Row, Rows, Section } from './section.tsx'

export function OrganizationSettings() {
  const { me, organization, isGuest } = useMe()
  const isAway = useIsAway()
  const navigate = useNavigate({ from: organizationRoute.fullPath })
  const { new: isAdding = false } = organizationRoute.useSearch()
  const panel = usePanelAddress(isAdding, () => void navigate({ search: {}, replace: true }))
  const read = useRead(OrganizationDetailsDocument, {}, { isOn: !isGuest })
  const saved = read.data?.organization
  if (isGuest) return <ForAccounts what={organizationWords.organizations} />
  if (!organization) return null
  const mayRename = organization.role === 'OWNER' || organization.role === 'ADMIN'
  return (
    <>
      <Section title={organizationWords.this} read={read} height={112}>
        {saved && <Details key={`${saved.id} ${saved.currency}`} saved={saved} isOff={!mayRename} />}
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {organizationWords.id}
          </Text>
          <CopyIcon text={organization.id} label={organizationWords.theId} />
        </Group>
      </Section>
      <Section
        title={organizationWords.yours}
        sentence={organizationWords.oneAtATime}
        action={
          <Button variant="default" disabled={isAway} onClick={() => void navigate({ search: { new: true }, ...panel.opening })}>
            {organizationWords.new}
          </Button>
        }
      >
        <Rows label={organizationWords.yours}>
          {me?.organizations.map(({ id, name, role }) => (
            <Row
              key={id}
              name={
                <>
                  {name}
                  {id === organization.id && (
                    <Badge variant="light" tt="none" fw={500}>
                      {organizationWords.current}
                    </Badge>
                  )}
                </>
              }
              facts={peopleWords.role[role]}
              actions={
                id !== organization.id && (
                  <Button variant="default" aria-label={organizationWords.switchTo(name)} onClick={() => chooseOrganization(id)}>
                    {organizationWords.switch}
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      </Section>
      {organization.role === 'OWNER' && <Archive />}
      <Leave key={organization.id} organization={organization} />
      <Panel isOpen={isAdding} isInAddress onClose={panel.close} title={organizationWords.new} isForm>
        <Add onClose={panel.close} />
      </Panel>
    </>
  )
}

const nameProblem = (value: string) => (value.trim() === '' ? organizationWords.nameNeeded : null)

function Details({ saved, isOff }: { saved: OrganizationDetailsQuery['organization']; isOff: boolean }) {
  const currency = saved.currency ?? ''
  const write = useWriteForm({
    document: SaveOrganizationDocument,
    initialValues: { name: saved.name, country: saved.country ?? '', currency },
    validate: { name: nameProblem },
    toVariables: values => ({
      name: { name: values.name },
      country: { country: values.country || null },
      currency: { currency: values.currency || null },
      isCurrencyChosen: values.currency !== currency,
    }),
    onWritten: () => notify(organizationWords.isSaved),
  })
  const { form } = write
  const countries = useMemo(countryOptions, [])
  const currencies = useMemo(currencyOptions, [])
  const inputs = (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <TextInput label={organizationWords.name} readOnly={isOff} maxLength={200} {...form.getInputProps('name')} />
      <Select
        label={organizationWords.country}
        description={organizationWords.countryHelp}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={organizationWords.notChosen}
        data={countries}
        searchable
        clearable={saved.country !== null}
        readOnly={isOff}
        {...form.getInputProps('country')}
      />
      <Select
        label={organizationWords.currency}
        description={organizationWords.currencyHelp}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={organizationWords.notChosen}
        data={currencies}
        searchable
        clearable={currency !== ''}
        readOnly={isOff}
        {...form.getInputProps('currency')}
      />
    </SimpleGrid>
  )
  if (!isOff)
    return (
      <WriteFormView write={write} verb={organizationWords.save}>
        {inputs}
      </WriteFormView>
    )
  return (
    <>
      {inputs}
      <Text size="sm" c="dimmed">
        {organizationWords.onlyAdmins}
      </Text>
    </>
  )
}

function Add({ onClose }: { onClose(): void }) {
  const write = useWriteForm({
    document: AddOrganizationDocument,
    initialValues: { name: '' },
    validate: { name: nameProblem },
    toVariables: values => ({ input: values }),
    onWritten({ createOrganization }) {
      // The page of the other organization has the same address, and would open the form again.
      onClose()
      chooseOrganization(createOrganization.id)
    },
  })
  return (
    <WriteFormView write={write} verb={organizationWords.create} onCancel={onClose}>
      <TextInput label={organizationWords.name} maxLength={200} data-autofocus {...write.form.getInputProps('name')} />
    </WriteFormView>
  )
}
