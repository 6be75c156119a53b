// The deals and the people of a company, beside its timeline: the newest ten deals, and the first ten people by name.

import { Anchor, Group, Text } from '@mantine/core'
import { lazy, useState } from 'react'
import { useQuery } from 'urql'
import { loadPart } from '../app/loaded.ts'
import type { Company } from '../company-record/fields.ts'
import { nameOf } from '../contact-record/fields/fields.ts'
import { StageStatus as ContactStage } from '../contact-record/fields/stage.tsx'
import { StageStatus } from '../deal-record/stage-status.tsx'
import { OnceOpen } from '../frame/once-open.tsx'
import { CompanyRelatedDocument } from '../generated/documents/company-record.ts'
import { companyWords } from '../language/en/companies.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { moneyText } from '../language/format.ts'
import { AnchorLink } from '../pieces/links.tsx'
import classes from '../record/related.module.css'
import { Related } from '../record/related.tsx'

const CreateContact = lazy(() => loadPart(() => import('../contact-record/create/panel.tsx')))

const words = dealWords.related

interface RelatedProps {
  company: Company
  mayWrite: boolean
}

export function DealsOfCompany({ company: { id: companyId }, mayWrite }: RelatedProps) {
  const [{ data }] = useQuery({ query: CompanyRelatedDocument, variables: { id: companyId } })
  if (!data) return null
  const { deals } = data
  return (
    <Related id="deals-of-company" title={words.title} count={deals.totalCount} none={words.none}>
      {deals.nodes.map(deal => (
        <div key={deal.id} className={classes.row}>
          <AnchorLink to="/deals/$dealId" params={{ dealId: deal.id }} size="sm" truncate>
            {deal.title}
          </AnchorLink>
          <Text size="sm" component="span">
            <StageStatus deal={deal} />
          </Text>
          <Text size="sm" component="span" className={classes.amount}>
            {deal.amount !== null && moneyText(deal.amount, deal.currency)}
          </Text>
        </div>
      ))}
      <Group gap="sm" mt={4}>
        {mayWrite && (
          <AnchorLink to="/deals" search={{ new: true, company: companyId }} size="sm">
            {words.add}
          </AnchorLink>
        )}
        {deals.nodes.length > 0 && (
          <AnchorLink to="/deals" search={{ company: companyId }} size="sm">
            {words.all}
          </AnchorLink>
        )}
      </Group>
    </Related>
  )
}

export function PeopleOfCompany({ company, mayWrite }: RelatedProps) {
  const companyId = company.id
  const [isAdding, setAdding] = useState(false)
  const [{ data }, read] = useQuery({ query: CompanyRelatedDocument, variables: { id: companyId } })
  if (!data) return null
  const { contacts } = data
  return (
    <Related id="people-of-company" title={companyWords.people.title} count={contacts.totalCount} none={companyWords.people.none}>
      {contacts.nodes.map(contact => (
        <div key={contact.id} className={`${classes.row} ${classes.person}`}>
          <AnchorLink to="/contacts/$contactId" params={{ contactId: contact.id }} size="sm" truncate>
            {nameOf(contact)}
          </AnchorLink>
          <Text size="sm" c="dimmed" truncate component="span">
            {contact.jobTitle}
          </Text>
          <span>
            <ContactStage stage={contact.lifecycleStage} />
          </span>
        </div>
      ))}
      <Group gap="sm" mt={4}>
        {mayWrite && (
          <Anchor component="button" type="button" size="sm" onClick={() => setAdding(true)}>
            {companyWords.people.add}
          </Anchor>
        )}
        {contacts.nodes.length > 0 && (
          <AnchorLink to="/contacts" search={{ companyId }} size="sm">
            {companyWords.people.all}
          </AnchorLink>
        )}
      </Group>
      <OnceOpen isOpen={isAdding}>
        <CreateContact
          isOpen={isAdding}
          company={{ value: companyId, label: company.name }}
          onClose={() => setAdding(false)}
          onCreated={() => {
            setAdding(false)
            read({ requestPolicy: 'network-only' })
          }}
        />
      </OnceOpen>
    </Related>
  )
}
