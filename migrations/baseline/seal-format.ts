/** Which format sealed values have: one row, sealed itself, that the program and `rekey` write. */
export const sealFormat = String.raw`

CREATE TABLE seal_format (
  id           smallint PRIMARY KEY CHECK (id = 1),
  sealed_phase bytea    NOT NULL
);
`;
