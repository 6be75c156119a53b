// Words of the form of a voice agent, and the texts of its templates.

import type { WantedKind } from '../../agents/form/wanted.ts'
import { room } from '../language.ts'

export const agentWords = room('agents', {
  fields: {
    name: 'Name',
    instructions: 'Instructions',
    firstMessage: 'First sentence',
    extraction: 'Values to find out',
    provider: 'Phone provider',
    phoneNumber: 'Phone number',
    dispatchUrl: 'Address of your server',
    language: 'Language',
    voice: 'Voice',
  },
  help: {
    instructions: 'In plain words: whom it calls and why, what it asks, and when it ends the call',
    firstMessage: 'The first words when the call is answered',
    extraction: 'Each answer becomes a value of the call, and a suggestion for the field that you choose',
    provider: 'The simulator calls nobody and costs nothing',
    phoneNumber: 'The number that people see: one of your account at the provider',
    dispatchUrl: 'Calls are sent there',
    language: "The language that it speaks and understands. Empty: the provider's default",
    newLanguage: "The language that it speaks and understands. Empty: the language of your organization's country",
    voice: "As the provider names it. Empty: the provider's default",
  },
  kinds: {
    text: 'Text',
    number: 'Number',
    yesNo: 'Yes or no',
    date: 'Date',
    choice: 'One of a list',
  } satisfies Record<WantedKind, string>,
  wanted: {
    title: 'Name of the value',
    kind: 'Kind',
    field: 'Goes to',
    options: 'Answers to choose from',
    question: 'How it asks',
    questionExample: 'When does your contract end?',
    onlyInCall: 'Only in the call',
    contactFields: 'Contact',
    customFields: 'Custom fields',
    add: 'Add a value',
    other: 'Something else',
    none: 'Nothing yet. Add what the agent should learn, such as a job title or a renewal date.',
    up: (title: string) => `Move ${title || 'this value'} up`,
    down: (title: string) => `Move ${title || 'this value'} down`,
    remove: (title: string) => `Remove ${title || 'this value'}`,
    moved: (title: string, place: number, count: number) => `${title || 'The value'} is now ${place} of ${count}`,
    row: (place: number) => `Value ${place}`,
  },
  insert: 'Insert a field',
  withFallback: 'A word after | is said where the field is empty: {{first_name|there}}',
  heard: (person: string) => `${person} hears`,
  read: (person: string) => `For a call to ${person}`,
  unknown: (names: string) => `No field of a contact fills ${names}. Correct the name, or add what to say instead: {{name|there}}`,
  advanced: 'For developers',
  json: 'Values to find out, as JSON',
  jsonProblem: 'Enter a JSON object, such as {"job_title": {"type": "string"}}',
  choose: {
    title: 'New voice agent',
    sentence: 'Start from a complete agent and change it to yours, or from an empty form.',
    scratch: 'Start from scratch',
    scratchSentence: 'Write everything yourself.',
  },
  check: 'Check the texts of this agent',
})

export const agentTemplates = room('agentTemplates', {
  'appointment-reminder': {
    name: 'Appointment reminder',
    sentence: 'Reminds people of an appointment, and finds a better time if it does not suit.',
    firstMessage: 'Hello {{first_name|there}}, I am calling about your appointment with us. Do you have a minute?',
    instructions:
      'You call {{full_name|a customer}} to remind them of their appointment {{appointment|with us this week}}.\n' +
      'Be friendly and brief. Ask whether the appointment still suits them.\n' +
      'If it does, thank them and repeat the day and the time. If it does not, ask which day and time would suit them better, and say that a colleague will confirm it.\n' +
      'Ask for the email address to which we may send the confirmation.\n' +
      'Do not give advice or prices: offer that a colleague calls back. End the call politely when you have the answers.',
    finds: {
      comes: {
        title: 'Appointment',
        question: 'Does the appointment still suit you?',
        options: ['Confirmed', 'Wants another time', 'Canceled'],
      },
      newTime: { title: 'Better time', question: 'Which day and time would suit you better?' },
      email: { title: 'Email', question: 'To which email address may we send the confirmation?' },
    },
  },
  'lead-qualification': {
    name: 'Lead qualification',
    sentence: 'Asks new leads what they need and when, and offers a meeting to those who fit.',
    firstMessage: 'Hello {{first_name|there}}, thank you for your interest in us. May I ask you three short questions?',
    instructions:
      'You call {{full_name|a lead}}, who has shown interest in our product.\n' +
      'Find out what they want to solve, when they want to start, whether there is a budget, and what their role is.\n' +
      'Ask one question at a time, and listen. Do not press, and do not promise prices or dates.\n' +
      'If they want to start within three months, offer a meeting of half an hour with a colleague.\n' +
      'If they are not interested, thank them and end the call. If they ask not to be called again, confirm that and end the call.',
    finds: {
      jobTitle: { title: 'Job title', question: 'What is your role in the company?' },
      need: { title: 'Need', question: 'What would you like to solve with us?' },
      timing: {
        title: 'Wants to start',
        question: 'When would you like to start?',
        options: ['Within a month', 'Within three months', 'Later', 'Not at all'],
      },
      budget: { title: 'Has a budget', question: 'Is there a budget for it already?' },
      meeting: { title: 'Wants a meeting', question: 'Would you like a meeting with a colleague of mine?' },
    },
  },
  'renewal-check': {
    name: 'Renewal check',
    sentence: 'Asks customers before their contract ends whether they stay, and why not.',
    firstMessage: 'Hello {{first_name|there}}, your contract with us ends soon. May I ask how it has been for you?',
    instructions:
      'You call {{full_name|a customer}} of ours, whose contract ends soon.\n' +
      'Ask first how satisfied they are, and listen. Then ask whether they want to renew, and with how many seats.\n' +
      'If they hesitate or want to leave, ask for the reason, and offer a call with their contact person at our company.\n' +
      'Do not negotiate: no discounts, no new terms. Thank them for their time, and end the call when you have the answers.',
    finds: {
      renews: { title: 'Renews', question: 'Would you like to renew the contract?', options: ['Yes', 'Undecided', 'No'] },
      ends: { title: 'Contract ends', question: 'On which day does your present contract end?' },
      seats: { title: 'Seats', question: 'How many seats will you need?' },
      reason: { title: 'Reason', question: 'What is the main reason for your decision?' },
    },
  },
})
