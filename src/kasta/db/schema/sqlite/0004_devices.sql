-- The tables of a device are found without reading all of them: each event that names one says so in its body.
CREATE INDEX events_device ON events (
    CASE WHEN json_valid(CAST(body AS TEXT))
        THEN coalesce(json_extract(CAST(body AS TEXT), '$.device'), json_extract(CAST(body AS TEXT), '$.host')) END
) WHERE turn IS NULL;
