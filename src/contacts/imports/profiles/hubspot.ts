// The exports of HubSpot: lists of ids are joined by semicolons.

import type { Profile } from './declared.ts'

const ids = {
  'Associated Company IDs': 'companyRecordId',
  'Associated Contact IDs': 'contactRecordIds',
  'Associated Deal IDs': 'dealRecordId',
} as const

export const hubspot: Profile = {
  source: 'hubspot',
  title: 'HubSpot',
  files: [
    {
      noun: 'company',
      has: ['Record ID', 'Company name'],
      fields: {
        'Record ID': 'recordId',
        'Company name': 'name',
        'Company Domain Name': 'domain',
        'Website URL': 'website',
        'Phone Number': 'phone',
        Industry: 'industry',
        'Number of Employees': 'employeeCount',
        'Annual Revenue': 'annualRevenue',
        Description: 'description',
        City: 'city',
        'State/Region': 'region',
        'Country/Region': 'country',
        'LinkedIn Company Page': 'linkedinUrl',
        'Company owner': 'ownerUserId',
      },
    },
    {
      noun: 'contact',
      has: ['Record ID', 'First Name', 'Last Name'],
      fields: {
        'Record ID': 'recordId',
        'First Name': 'firstName',
        'Last Name': 'lastName',
        Email: 'email',
        'Phone Number': 'phone',
        'Job Title': 'jobTitle',
        'Lifecycle Stage': 'lifecycleStage',
        'Associated Company IDs (Primary)': 'companyRecordId',
        'Associated Company IDs': 'companyRecordId',
        'Associated Company': 'companyName',
        City: 'city',
        'State/Region': 'region',
        'Country/Region': 'country',
        'Contact owner': 'ownerUserId',
      },
    },
    {
      noun: 'deal',
      has: ['Record ID', 'Deal Name'],
      fields: {
        'Record ID': 'recordId',
        'Deal Name': 'title',
        Pipeline: 'pipelineId',
        'Deal Stage': 'stageId',
        Amount: 'amount',
        Currency: 'currency',
        'Close Date': 'expectedClose',
        'Closed Lost Reason': 'lostReason',
        'Deal owner': 'ownerUserId',
        'Associated Company IDs': ids['Associated Company IDs'],
        'Associated Contact IDs': ids['Associated Contact IDs'],
      },
    },
    { noun: 'note', has: ['Record ID', 'Note body'], fields: { 'Record ID': 'recordId', 'Note body': 'text', ...ids } },
    {
      noun: 'task',
      has: ['Record ID', 'Task Title'],
      fields: {
        'Record ID': 'recordId',
        'Task Title': 'title',
        'Task Notes': 'description',
        'Task Status': 'status',
        'Due Date': 'dueAt',
        'Assigned to': 'assigneeUserId',
        ...ids,
      },
    },
  ],
}
