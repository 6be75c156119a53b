-- outside a transaction

-- The orders of lists, with the expressions of the statements.
create index concurrently if not exists deals_by_amount on deals
  (org_id, (coalesce(case when currency in ('BIF','CLP','DJF','GNF','ISK','JPY','KMF','KRW','PYG','RWF','UGX','VND','VUV','XAF','XOF','XPF') then amount::numeric when currency in ('BHD','IQD','JOD','KWD','LYD','OMR','TND') then amount / 1000.0 else amount / 100.0 end, -1)), id) where deleted_at is null;
