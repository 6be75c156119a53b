// Exports of other systems in their published shape, made for tests: people and companies in them do not exist.

export interface ExportedFile {
  name: string
  noun: 'company' | 'contact' | 'deal' | 'note' | 'task'
  content: Buffer
  /** Rows with a value. */
  rows: number
}

const csv = (lines: readonly string[], end = '\r\n') => lines.map(line => line + end).join('')
const file = (name: string, noun: ExportedFile['noun'], lines: readonly string[]): ExportedFile => ({
  ...{ name, noun, content: Buffer.from(csv(lines)), rows: lines.length - 1 },
})

export const hubspot: ExportedFile[] = [
  file('hubspot-companies.csv', 'company', [
    'Record ID,Company name,Company owner,Phone Number,City,Country/Region,Industry,Company Domain Name,Number of Employees,Annual Revenue',
    '9001,Kade BV,owner@example.com,+31 20 123 4567,Amsterdam,Netherlands,Logistics,kade.example,120,"1,500,000.50"',
    '9002,Nord Oy,,,Helsinki,Finland,Software,nord.example,8,',
  ]),
  file('hubspot-contacts.csv', 'contact', [
    'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Lifecycle Stage,Associated Company IDs,Associated Company,Create Date',
    '101,Ada,Kade,ada@kade.example,+31 20 123 4568,owner@example.com,Opportunity,9001,Kade BV,2026-01-05 10:12',
    '102,Bo,Nord,bo@nord.example,,,Lead,9002;9001,Nord Oy,2026-01-06 08:00',
    '103,Cy,Free,cy@mail.example,1.41556E+10,,Subscriber,,,2026-01-07 09:30',
  ]),
  file('hubspot-deals.csv', 'deal', [
    'Record ID,Deal Name,Deal Stage,Pipeline,Amount,Close Date,Deal owner,Closed Lost Reason,Associated Company IDs,Associated Contact IDs',
    '7001,Trucks,Proposal,Sales Pipeline,12500.5,2026-09-30 00:00,owner@example.com,,9001,101;102',
    '7002,Licences,Closed Won,Sales Pipeline,900,2026-03-01 00:00,,,9002,102',
    '7003,Pilot,Closed Lost,Sales Pipeline,,2026-02-01 00:00,,Too expensive,9002,',
  ]),
  file('hubspot-notes.csv', 'note', [
    'Record ID,Note body,Activity date,Associated Contact IDs,Associated Company IDs,Associated Deal IDs',
    '5001,<p>Wants <b>two</b> trucks.</p><p>Call in May.</p>,2026-01-09 11:00,101,9001,7001',
    '5002,Met at the fair,2026-01-10 11:00,103,,',
  ]),
  file('hubspot-tasks.csv', 'task', [
    'Record ID,Task Title,Task Notes,Task Status,Due Date,Assigned to,Associated Contact IDs,Associated Company IDs,Associated Deal IDs',
    '6001,Send the offer,With both trucks,NOT_STARTED,2026-05-02 09:00,owner@example.com,101,9001,7001',
    '6002,Say thanks,,COMPLETED,2026-03-02 09:00,,102,9002,',
  ]),
]

export const salesforce: ExportedFile[] = [
  {
    ...file('accounts.csv', 'company', [
      '"Account ID","Account Name","Account Owner","Website","Phone","Billing City","Billing Country","Employees"',
      '"0015g00000AbCdE","Bäcker & Söhne","Nobody Known","https://baecker.example","+49 30 1234567","Köln","Germany","40"',
      '"0015g00000AbCdF","Sud SARL","","sud.example","","Lyon","France",""',
    ]),
    // A report in ISO-8859-1.
    content: Buffer.from(
      csv([
        '"Account ID","Account Name","Account Owner","Website","Phone","Billing City","Billing Country","Employees"',
        '"0015g00000AbCdE","Bäcker & Söhne","Nobody Known","https://baecker.example","+49 30 1234567","Köln","Germany","40"',
        '"0015g00000AbCdF","Sud SARL","","sud.example","","Lyon","France",""',
      ]),
      'latin1',
    ),
  },
  // The contacts have ids of 18 characters, the accounts of 15.
  file('contacts.csv', 'contact', [
    '"Contact ID","First Name","Last Name","Title","Account ID","Account Name","Email","Phone","Contact Owner"',
    '"0035g00000XyZaBAAV","Dora","Bäcker","Owner","0015g00000AbCdEAAV","Bäcker & Söhne","dora@baecker.example","+49 30 1234568","owner@example.com"',
    '"0035g00000XyZaCAAV","Emil","Sud","","0015g00000AbCdFAAV","Sud SARL","","",""',
  ]),
  file('opportunities.csv', 'deal', [
    '"Opportunity ID","Opportunity Name","Stage","Amount","Close Date","Opportunity Owner","Account ID","Account Name"',
    '"0065g00000OpQrSAAV","Ovens","Negotiation","20000","2026-11-30","owner@example.com","0015g00000AbCdE","Bäcker & Söhne"',
  ]),
]

export const pipedrive: ExportedFile[] = [
  file('organizations.csv', 'company', [
    'Organization - ID,Organization - Name,Organization - Owner,Organization - Country of Address,Organization - Labels',
    '1,Ost GmbH,owner@example.com,Austria,key account',
    '2,West Ltd,,United Kingdom,',
  ]),
  file('people.csv', 'contact', [
    'Person - ID,Person - Name,Person - Email - Work,Person - Phone - Work,Person - Organization,Organization - ID,Person - Labels',
    '11,Fay Ost,fay@ost.example,+43 1 2345678,Ost GmbH,1,"warm, decision maker"',
    '12,Gil West,,,West Ltd,2,',
  ]),
  file('deals.csv', 'deal', [
    'Deal - ID,Deal - Title,Deal - Value,Deal - Currency of Value,Deal - Pipeline,Deal - Stage,Deal - Status,Deal - Lost reason,Organization - ID,Person - ID',
    '21,Doors,4200,EUR,Sales,Qualified,Open,,1,11',
    '22,Windows,1000,GBP,Sales,Proposal,Won,,2,12',
    '23,Roof,500,GBP,Sales,Proposal,Lost,No budget,2,12',
  ]),
  file('notes.csv', 'note', ['Note - ID,Note - Content,Deal - ID,Person - ID,Organization - ID', '31,Measures on Monday,21,11,1']),
  file('activities.csv', 'task', [
    'Activity - ID,Activity - Subject,Activity - Done,Activity - Due date,Deal - ID,Person - ID,Organization - ID',
    '41,Call Fay,To do,45900,21,11,1',
  ]),
]

export const google: ExportedFile[] = [
  file('google.csv', 'contact', [
    'First Name,Middle Name,Last Name,Notes,Photo,Organization Name,Organization Title,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value',
    'Hal,,Moor,,,Moor Inc,Baker,Friends ::: Work ::: * myContacts,* Work,hal@moor.example,hal@home.example,Mobile,+1 415 555 0123',
    'Ivy,,Lake,,,,,* myContacts,,,,Mobile,+1 415 555 0124',
  ]),
]

export const outlook: ExportedFile[] = [
  {
    name: 'outlook.csv',
    noun: 'contact',
    rows: 2,
    // Windows-1252: `ü` and `–` are one byte each.
    content: Buffer.from(
      csv([
        '"First Name","Last Name","Company","Job Title","Business Phone","Mobile Phone","E-mail Address","Categories"',
        '"Jürg","Zbinden","Zbinden AG","Käser","+41 44 123 45 67","+41 79 123 45 67","juerg@zbinden.example","Käse;Schweiz"',
        '"Kläre","Weiß","","","+49 30 7654321","","",""',
      ]),
      'latin1',
    ),
  },
]

export const linkedin: ExportedFile[] = [
  {
    name: 'Connections.csv',
    noun: 'contact',
    rows: 2,
    content: Buffer.from(
      csv(
        [
          'Notes:',
          '"When exporting your connection data, you may notice that some of the email addresses are missing. You will only see email addresses for connections who have allowed their connections to see or download their email address."',
          '',
          'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
          'Lea,Berg,https://www.linkedin.com/in/leaberg,,Berg AG,Head of Sales,05 Mar 2025',
          'Max,Tal,https://www.linkedin.com/in/maxtal,max@tal.example,Tal Ltd,Engineer,06 Mar 2025',
        ],
        '\n',
      ),
    ),
  },
]
