-- outside a transaction
-- contract: after 20261123091500_counts_in_one_order
alter table webhook_deliveries validate constraint webhook_deliveries_first_bound;
