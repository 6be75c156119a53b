-- CreateIndex
CREATE INDEX "suggestions_by_target" ON "suggestions"("org_id", "target_id", "created_at", "id");
