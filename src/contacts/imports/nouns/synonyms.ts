// Headers of companies, deals, notes and tasks in files of other programs, without spaces, signs and accents. The headers of contacts are in
// columns/synonyms.ts.

import type { ImportNoun } from './fields.ts'

const words = (text: string) => text.trim().split(/\s+/)

const record = {
  ownerUserId: words(
    'owner ownerid recordowner accountowner companyowner dealowner opportunityowner assignedto eigentumer zustandig inhaber',
  ),
  tags: words('tag labels label categories category kategorien schlagworte etiketten'),
}

export const synonymsOfNouns: Readonly<Record<Exclude<ImportNoun, 'contact'>, Readonly<Record<string, readonly string[]>>>> = {
  company: {
    name: words('companyname company accountname account organization organisation organizationname firma unternehmen entreprise empresa'),
    domain: words('companydomain companydomainname domainname emaildomain'),
    website: words('websiteurl url web homepage webseite internet siteweb sitioweb companywebsite'),
    phone: words('phonenumber telephone tel telefon telefonnummer mainphone officephone companyphone'),
    linkedinUrl: words('linkedin linkedincompanypage linkedinpage'),
    industry: words('sector branche secteur industria'),
    employeeCount: words('employees numberofemployees noofemployees headcount companysize mitarbeiter mitarbeiterzahl effectif empleados'),
    annualRevenue: words('revenue turnover umsatz jahresumsatz chiffredaffaires ingresos'),
    annualRevenueCurrency: words('revenuecurrency annualrevenuecurrencycode'),
    description: words('about notes beschreibung descripcion'),
    city: words('town billingcity mailingcity ort stadt ville ciudad'),
    region: words('state province stateregion billingstate billingstateprovince bundesland'),
    country: words('countryregion billingcountry land pays pais'),
    ...record,
  },
  deal: {
    title: words('dealname dealtitle opportunityname opportunity name deal bezeichnung titel'),
    amount: words('value dealvalue dealamount price betrag wert summe montant importe'),
    currency: words('currencycode amountcurrency dealcurrency currencyofvalue dealcurrencycode wahrung'),
    expectedClose: words('closedate expectedclosedate closingdate abschlussdatum'),
    lostReason: words('closedlostreason lossreason reasonlost lostreason verlustgrund'),
    pipelineId: words('pipeline pipelinename dealpipeline'),
    stageId: words('stage dealstage stagename phase'),
    dealStatus: words('status dealstatus'),
    companyName: words('companyname company accountname account organization firma unternehmen'),
    ...record,
  },
  note: { text: words('note notes body notebody content comment comments notiz text') },
  task: {
    title: words('tasktitle subject task aufgabe betreff activity'),
    description: words('notes note details tasknotes body comments'),
    status: words('taskstatus done completed erledigt'),
    dueAt: words('due duedate activitydate deadline fallig falligam taskduedate'),
    assigneeUserId: words('assignee assignedto owner taskowner zustandig'),
  },
}
