// What text.js uses of @fluent/bundle, which comes without types of its own.

/** A message's text, parsed. */
export type Pattern = string | object[];

export interface Bundle {
  /** Errors are added to `errors`; a variable without a value is written as its name. */
  formatPattern(pattern: Pattern, values: Record<string, string | Number>, errors: Error[]): string;
}

export interface Fluent {
  FluentBundle: new (code: string, how: { useIsolating: boolean }) => Bundle;
  FluentNumber: new (value: number) => Number;
  FluentResource: new (text: string) => { body: { value: Pattern }[] };
}

/** A number by which a text may choose words. */
interface Number {
  value: number;
}
