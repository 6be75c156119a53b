// Columns of a file: their names, and the fields that the headers of other programs mean.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { uploaded } = importsIn(app)

const fieldsOf = ({ columns }: Json) =>
  Object.fromEntries(columns.map(({ name, field, custom_field }: Json) => [name, field ?? (custom_field && `custom.${custom_field}`)]))

describe('columns', () => {
  test('of one name are numbered, and none is lost', async () => {
    const { key } = await app.given.apiKey()

    const made = await uploaded(key, 'Email,Phone,Phone,Phone 2,Phone\na@example.com,+12025550101,+12025550102,x,\n')

    expect(made.columns).toMatchObject([
      { name: 'Email', samples: ['a@example.com'], field: 'email', custom_field: null, further_field: null },
      { name: 'Phone', samples: ['+12025550101'], field: 'phone', custom_field: null, further_field: null },
      { name: 'Phone 3', samples: ['+12025550102'], field: null, custom_field: null, further_field: 'phone' },
      { name: 'Phone 2', samples: ['x'], field: null, custom_field: null },
      { name: 'Phone 4', samples: [], field: null, custom_field: null, further_field: null },
    ])
  })

  test.each([
    [
      'Outlook',
      'Title,First Name,Last Name,Company,Job Title,Business City,Business Country/Region,Business Phone,Mobile Phone,E-mail Address,Categories\n' +
        'Dr.,Walter,Xu,Zenith GmbH,Head of Sales,Bonn,Germany,+49 228 1234567,+49 151 1234567,walter@example.com,Friend\n',
      { Title: null, 'Job Title': 'job_title', 'Business City': 'city', 'Business Country/Region': 'country', 'Business Phone': 'phone' },
    ],
    [
      'a file whose titles are salutations',
      'Title,Last Name,Email\nDr.,Xu,x@example.com\n"Prof. Dr.",Ek,e@example.com\nFrau,Ott,o@example.com\n',
      { Title: null },
    ],
    [
      'Salesforce',
      'Salutation,Title,Contact ID,Account Name,Mailing City,Contact Owner\nMs.,CEO,0031x00000AbCdE,Acme,Bonn,Ann\n',
      {
        Salutation: null,
        Title: 'job_title',
        'Contact ID': 'external_id',
        'Account Name': 'company_name',
        'Mailing City': 'city',
        'Contact Owner': 'owner_user_id',
      },
    ],
    [
      'Google',
      'First Name,Organization Name,Organization Title,Labels,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value\nA,B,C,D,a@example.com,,\n',
      {
        'Organization Name': 'company_name',
        'Organization Title': 'job_title',
        Labels: 'tags',
        'E-mail 1 - Value': 'email',
        'E-mail 2 - Value': null,
        'Phone 1 - Value': 'phone',
      },
    ],
    [
      'HubSpot',
      'Record ID,Email,Phone Number,Contact owner,Lifecycle Stage,Lead Status,Country/Region,Website URL\n1,a@example.com,,,lead,New,,\n',
      {
        'Record ID': 'record_id',
        'Contact owner': 'owner_user_id',
        'Lifecycle Stage': 'lifecycle_stage',
        'Lead Status': null,
        'Website URL': 'company_domain',
      },
    ],
    [
      'Pipedrive',
      'Person - ID,Person - Name,Person - Email - Work,Person - Phone - Work,Person - Organization\n1,A,a@example.com,,B\n',
      {
        'Person - ID': 'record_id',
        'Person - Name': 'full_name',
        'Person - Email - Work': 'email',
        'Person - Phone - Work': 'phone',
        'Person - Organization': 'company_name',
      },
    ],
    [
      'Outlook in German',
      'Anrede,Vorname,Nachname,Firma,Position,Ort geschäftlich,Land/Region geschäftlich,Telefon geschäftlich,Telefon (privat),E-Mail-Adresse,Kategorien\n' +
        'Frau,Ada,Ek,Nord,Chefin,Bonn,Deutschland,+49 228 1234567,,ada@example.com,VIP\n',
      {
        Anrede: null,
        'Ort geschäftlich': 'city',
        'Land/Region geschäftlich': 'country',
        'Telefon geschäftlich': 'phone',
        'Telefon (privat)': null,
        'E-Mail-Adresse': 'email',
        Kategorien: 'tags',
      },
    ],
    [
      'Attio',
      'Record ID,Name,Email addresses,Phone numbers,Primary location > City,Primary location > Country,Last interaction > When\n1,A,,,,,\n',
      {
        'Email addresses': 'email',
        'Phone numbers': 'phone',
        'Primary location > City': 'city',
        'Primary location > Country': 'country',
        'Last interaction > When': 'last_contacted_at',
      },
    ],
    [
      'a program that writes the zone behind its headers',
      'Email,Last Activity Date (EST),(Do Not Modify) Contact,Status\na@example.com,2024-01-02 10:00,b1c2,Active\n',
      { 'Last Activity Date (EST)': 'last_contacted_at', '(Do Not Modify) Contact': null, Status: null },
    ],
    [
      'other languages',
      'Adresse e-mail,Prénom,Apellidos,Città,Kraj,電話番号,Должность\na@example.com,A,B,C,PL,,\n',
      {
        'Adresse e-mail': 'email',
        Prénom: 'first_name',
        Apellidos: 'last_name',
        Città: 'city',
        Kraj: 'country',
        電話番号: 'phone',
        Должность: 'job_title',
      },
    ],
    [
      'a program whose first columns are empty',
      'Name,Person - Email - Work,Person - Email - Home,Business Phone,Mobile Phone\nA,,a@example.com,,+12025550142\n',
      { 'Person - Email - Work': null, 'Person - Email - Home': 'email', 'Business Phone': null, 'Mobile Phone': 'phone' },
    ],
    [
      'a file without headers',
      'Ada,a@example.com,+12025550142\nBen,b@example.com,+12025550143\n',
      { 'Column 2': 'email', 'Column 3': 'phone' },
    ],
    [
      'a synonym before the name of the field',
      'Mail,Name,Email\nold@example.com,Ann Lee,ann@example.com\n',
      { Mail: null, Email: 'email' },
    ],
    [
      'a file whose column of the exact name is empty, or repeated',
      'Email,Phone,Mobile,Name,Name\na@example.com,,+491511234567,,Ann\n',
      { Email: 'email', Phone: null, Mobile: 'phone', Name: null, 'Name 2': 'full_name' },
    ],
    [
      'Salesforce as its loader writes them',
      'ID,NAME,EMAIL,PHONE,MOBILEPHONE,DONOTCALL\n0031x00000AbCdEAAV,A,a@example.com,,+491511234567,false\n',
      { ID: 'external_id', PHONE: null, MOBILEPHONE: 'phone', DONOTCALL: 'do_not_call' },
    ],
    ['a list that numbers its rows', 'ID,Name,Email\n1,A,a@example.com\n2,B,b@example.com\n', { ID: null }],
    [
      'a program whose ids are of companies',
      'lead_id,contact_name\nlead_a1,Ann\nlead_a1,Ben\n',
      { lead_id: null, contact_name: 'full_name' },
    ],
    [
      'Dynamics',
      'Full Name,Email,Address 1: State/Province,Address 1: Country/Region,Do not allow Phone Calls\nA,a@example.com,NRW,Germany,Allow\n',
      { 'Address 1: State/Province': 'region', 'Address 1: Country/Region': 'country', 'Do not allow Phone Calls': 'do_not_call' },
    ],
    [
      'Freshsales and Odoo',
      'Emails,Work,Sales owner,Accounts,Last contacted time,Job Position\na@example.com,+49 228 1234567,Ann,Acme,2024-03-05,CEO\n',
      {
        Emails: 'email',
        Work: 'phone',
        'Sales owner': 'owner_user_id',
        Accounts: 'company_name',
        'Last contacted time': 'last_contacted_at',
        'Job Position': 'job_title',
      },
    ],
    [
      'Outlook in French, Spanish and Polish',
      'Adresse de messagerie,Pays/Région (bureau),Ciudad del trabajo,Teléfono del trabajo,Telefon służbowy,Adres służbowy - miejscowość\n' +
        'a@example.com,France,,+33612345678,,\n',
      { 'Adresse de messagerie': 'email', 'Pays/Région (bureau)': 'country', 'Teléfono del trabajo': 'phone' },
    ],
    [
      'languages with other letters',
      'الاسم الأول,שם משפחה,ηλεκτρονική διεύθυνση,Số điện thoại,Công ty,Мобильный телефон,ตำแหน่ง,市区町村,负责人\nA,B,,0901234567,C,,D,E,F\n',
      {
        'الاسم الأول': 'first_name',
        'שם משפחה': 'last_name',
        'Số điện thoại': 'phone',
        'Công ty': 'company_name',
        ตำแหน่ง: 'job_title',
        市区町村: 'city',
        负责人: 'owner_user_id',
      },
    ],
  ])('of %s', async (_program, file, fields) => {
    const { key } = await app.given.apiKey()

    expect(fieldsOf(await uploaded(key, file))).toMatchObject(fields)
  })
})
