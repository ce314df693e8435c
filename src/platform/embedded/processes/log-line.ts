/** One line for the program's own log. */
export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
}

export type LogSink = (line: LogLine) => void;
