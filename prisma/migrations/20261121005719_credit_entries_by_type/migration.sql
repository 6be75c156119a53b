-- CreateIndex
CREATE INDEX "credit_entries_by_type" ON "credit_entries"("user_id", "type", "seq");
