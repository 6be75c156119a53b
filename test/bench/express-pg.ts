// The peer of the wake bench: Express, express.json and one insert with pg per request, and nothing else.

import express from 'express'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 })
await pool.query(
  'create table if not exists bench_wakes (id uuid primary key default gen_random_uuid(), text text not null, created_at timestamptz not null default now())',
)
const app = express()
app.use(express.json())
app.get('/', (_req, res) => void res.json({ ok: true }))
app.post('/hooks/wake', async (req, res) => {
  const { rows } = await pool.query({
    name: 'insert',
    text: 'insert into bench_wakes (text) values ($1) returning id',
    values: [req.body.text],
  })
  res.json({ ok: true, mode: 'now', eventId: rows[0].id })
})
app.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
