/** The shape of a job's id. */
export const JOB_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
