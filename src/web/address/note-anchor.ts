// The anchor of a note on its contact's page, for addresses that lead to the note.

export const noteAnchor = (id: string): string => `note-${id}`
