-- What is new to the search waits in a list before it is sorted in. A process with the worker's role sorts it in every second
-- (contacts/sweep.ts), so that nobody who creates a contact has to; 4 MB is what five thousand of them leave.
alter index contacts_search set (gin_pending_list_limit = 4096);
