// The name of a note's place on its contact's page, for addresses that lead to the note.

export const noteAnchor = (id: string): string => `note-${id}`
