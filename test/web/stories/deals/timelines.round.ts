// What is written elsewhere about a deal, a company or its people stands on open pages without reloading.

import { tell } from '../../support/story.ts'

tell({
  'a note about a deal, a task of its company and a note about a person appear on open pages': async ({ open, person, ask }) => {
    const ada = await person()
    const write = (query: string, input: Record<string, string>) =>
      ask<{ made: { id: string } }>(ada, query, { input }).then(({ made }) => made.id)
    const company = await write('mutation ($input: CreateCompanyInput!) { made: createCompany(input: $input) { id } }', { name: 'Acme' })
    const addDeal = 'mutation ($input: CreateDealInput!) { made: createDeal(input: $input) { id } }'
    const deal = await write(addDeal, { title: 'Engines', companyId: company })
    const addContact = 'mutation ($input: CreateContactInput!) { made: createContact(input: $input) { id } }'
    const contact = await write(addContact, { fullName: 'Alan Turing', companyId: company })
    const addNote = 'mutation ($input: CreateNoteInput!) { made: createNote(input: $input) { id } }'

    const timeline = await open(`/deals/${deal}`, { as: ada })
    await timeline.getByText('added this deal').waitFor()
    const notes = await open(`/deals/${deal}?tab=notes`, { as: ada })
    await notes.getByText('No notes yet').waitFor()
    const ofCompany = await open(`/companies/${company}`, { as: ada })
    await ofCompany.getByText('added this company').waitFor()

    const note = await write(addNote, { dealId: deal, text: 'They want two years' })
    for (const page of [timeline, notes, ofCompany]) await page.getByText('They want two years').waitFor()
    await ofCompany.getByRole('listitem').filter({ hasText: 'a note about Engines' }).getByRole('link', { name: 'Engines' }).waitFor()
    await ask(ada, 'mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { id } }', {
      input: { id: note, text: 'They want three years' },
    })
    await notes.getByText('They want three years').waitFor()
    await ask(ada, 'mutation ($input: DeleteNoteInput!) { deleteNote(input: $input) { id } }', { input: { id: note } })
    await notes.getByText('No notes yet').waitFor()

    await timeline.getByRole('textbox', { name: 'Note', exact: true }).fill('Sent the offer')
    await timeline.getByRole('button', { name: 'Add note' }).click()
    for (const page of [timeline, notes, ofCompany]) await page.getByText('Sent the offer').waitFor()

    const addTask = 'mutation ($input: CreateTaskInput!) { made: createTask(input: $input) { id } }'
    await write(addTask, { companyId: company, title: 'Send the contract' })
    await ofCompany.getByText('Send the contract').first().waitFor()
    await write(addNote, { contactId: contact, text: 'Decides about it' })
    await ofCompany.getByText('Decides about it').waitFor()
    await ofCompany.getByRole('listitem').filter({ hasText: 'a note about Alan Turing' }).waitFor()
  },
})
