-- Where a device asked from, and the program that it says it is: its user sees both before agreeing.
ALTER TABLE "device_authorizations" ADD COLUMN "ip_address" TEXT, ADD COLUMN "user_agent" TEXT;
