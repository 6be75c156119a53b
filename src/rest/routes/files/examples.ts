// Example bodies of exports and imports for the API reference.

const token = 'Qm9yZWQ_bm8tb25lLXdpbGwtZXZlci1ndWVzcy10aGlz'

export const fileExamples = {
  newExport: { columns: ['email', 'first_name', 'custom.plan'] },
  download: {
    url: `https://crm.example.com/api/crm/v1/exports/${token.slice(0, 43)}`,
    file_name: 'contacts-2026-05-31.csv',
    expires_at: '2026-05-31T23:58:24.480Z',
  },
  file: "email,first_name,phone,custom.plan\r\nada@example.com,Ada,'+442079460958,pro\r\n",
}
