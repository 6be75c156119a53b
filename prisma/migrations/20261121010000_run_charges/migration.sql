-- What a run costs its owner: charged so far, and kept for what it may still cost.
ALTER TABLE "gateway_runs" ADD COLUMN "credits_charged" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "credits_held" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "hold_id" UUID;
