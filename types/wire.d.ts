/** The wire's shapes by the names that the scripts use. `make types` makes build/types/api.d.ts from the API's schema. */

import type { components } from "../build/types/api";

type Schemas = components["schemas"];

export type Progress = Schemas["ProgressAnswer"];
export type Item = Schemas["Item"];
export type Unit = Schemas["UnitAnswer"];
export type Context = Schemas["ContextAnswer"];
export type Neighbour = Schemas["NeighbourAnswer"];
export type Pair = Schemas["PairAnswer"];
export type Side = Schemas["SideAnswer"];
export type Source = Schemas["SourceAnswer"];
export type Outcome = Source["outcomes"][number];
export type Lemma = Schemas["LemmaAnswer"];
export type Example = Schemas["ExampleAnswer"];
export type OwnItems = Schemas["OwnItemsAnswer"];
export type SaveRequest = Schemas["SaveRequest"];
export type SaveAnswer = Schemas["SaveAnswer"];
export type ErrorDetail = Schemas["ErrorDetail"];

export type Span = Source["spans"][number];

/** What a person edits: a span whose score and attributes may be missing yet. */
export type Draft = Pick<Span, "tokens" | "label"> & Partial<Span>;

export type Suggestion = Omit<Schemas["SuggestionAnswer"], "content"> & { content: any };

type LabelDetail = Partial<{ name: string; colour: string; key: string; description: string; anchor: string; tokenless: boolean }>;
type AttributeDetail = Partial<{ values: string[]; labels: string[]; name: string; key: string; description: string; vocabulary: boolean; obligatory: boolean; translation: boolean }>;

/** A layer's scheme as it is stored: `annotator/domain/schemes.py`. */
export type Scheme = {
  labels: string[];
  discontinuous: boolean;
  overlaps: boolean;
  several?: boolean;
  details?: Record<string, LabelDetail>;
  attributes?: Record<string, string[] | AttributeDetail>;
};

/** A word link: source token, target token, score. */
export type Link = Source["links"][number];
