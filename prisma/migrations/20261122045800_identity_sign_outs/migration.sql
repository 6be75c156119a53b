-- Grows whenever all sessions of a user end or the password changes: a sign-in that was under way then opens none.
alter table idp_users add column sign_outs integer not null default 0;
