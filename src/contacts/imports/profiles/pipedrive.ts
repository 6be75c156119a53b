// The exports of Pipedrive: each header has the noun of its field before it.

import type { Profile } from './declared.ts'

const links = { 'Organization - ID': 'companyRecordId', 'Person - ID': 'contactRecordIds' } as const

export const pipedrive: Profile = {
  source: 'pipedrive',
  title: 'Pipedrive',
  files: [
    {
      noun: 'company',
      has: ['Organization - ID', 'Organization - Name'],
      fields: {
        'Organization - ID': 'recordId',
        'Organization - Name': 'name',
        'Organization - Website': 'website',
        'Organization - Industry': 'industry',
        'Organization - Number of employees': 'employeeCount',
        'Organization - Annual revenue': 'annualRevenue',
        'Organization - LinkedIn profile': 'linkedinUrl',
        'Organization - City/town/village/locality of Address': 'city',
        'Organization - State/county of Address': 'region',
        'Organization - Country of Address': 'country',
        'Organization - Label': 'tags',
        'Organization - Labels': 'tags',
        'Organization - Owner': 'ownerUserId',
      },
    },
    {
      noun: 'contact',
      has: ['Person - ID', 'Person - Name'],
      fields: {
        'Person - ID': 'recordId',
        'Person - Name': 'fullName',
        'Person - First name': 'firstName',
        'Person - Last name': 'lastName',
        'Person - Email - Work': 'email',
        'Person - Email': 'email',
        'Person - Email - Home': 'email',
        'Person - Phone - Work': 'phone',
        'Person - Phone': 'phone',
        'Person - Phone - Mobile': 'phone',
        'Person - Job title': 'jobTitle',
        'Organization - ID': 'companyRecordId',
        'Person - Organization': 'companyName',
        'Person - Label': 'tags',
        'Person - Labels': 'tags',
        'Person - Owner': 'ownerUserId',
      },
    },
    {
      noun: 'deal',
      has: ['Deal - ID', 'Deal - Title'],
      fields: {
        'Deal - ID': 'recordId',
        'Deal - Title': 'title',
        'Deal - Value': 'amount',
        'Deal - Currency of Value': 'currency',
        'Deal - Currency': 'currency',
        'Deal - Pipeline': 'pipelineId',
        'Deal - Stage': 'stageId',
        'Deal - Status': 'dealStatus',
        'Deal - Lost reason': 'lostReason',
        'Deal - Expected close date': 'expectedClose',
        'Deal - Organization': 'companyName',
        'Deal - Label': 'tags',
        'Deal - Owner': 'ownerUserId',
        ...links,
      },
    },
    {
      noun: 'note',
      has: ['Note - ID', 'Note - Content'],
      fields: { 'Note - ID': 'recordId', 'Note - Content': 'text', 'Deal - ID': 'dealRecordId', ...links },
    },
    {
      noun: 'task',
      has: ['Activity - ID', 'Activity - Subject'],
      fields: {
        'Activity - ID': 'recordId',
        'Activity - Subject': 'title',
        'Activity - Note': 'description',
        'Activity - Done': 'status',
        'Activity - Due date': 'dueAt',
        'Activity - Assigned to user': 'assigneeUserId',
        'Deal - ID': 'dealRecordId',
        ...links,
      },
    },
  ],
}
