-- What a call's messages have reported of it, apart from what follows from when they arrived, so that a later one can correct an earlier one.
alter table calls add column reported jsonb;

-- What a hold was charged for, where it is not the beginning of what it was debited from, so that a correction returns it to the same grants.
alter table credit_holds add column settled_lines jsonb;
