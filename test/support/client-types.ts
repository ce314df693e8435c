import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';

interface Parameter {
  in: string;
}

interface Answer {
  content?: unknown;
}

interface Operation {
  parameters?: Parameter[];
  responses: Record<string, Answer>;
  security?: unknown;
}

type PathItem = Record<string, Operation>;

export interface OpenApiDocument {
  paths: Record<string, PathItem>;
  components?: { schemas?: Record<string, unknown> };
}

export type Profile = 'organization' | 'project';

const BANNER = `// Made from the /openapi.json of both profiles by openapi-typescript. After a change of the API:
// UPDATE_CLIENT_TYPES=1 npm test -- test/slow/contract/client-types
`;

/** Prefixes, in the combined document, of paths that only one profile has, or that differ between profiles. */
const OF_PROFILE: Record<Profile, string> = { organization: '/organization:', project: '/project:' };

/** The client's types: schemas and operations of both profiles without duplicates, the paths of each, and the codes. */
export async function clientTypesOf(
  documents: Record<Profile, OpenApiDocument>,
  errorCodes: readonly string[],
): Promise<string> {
  const nodes = await openapiTypes(JSON.stringify(joined(documents)), {
    alphabetize: true,
    defaultNonNullable: false,
  });
  const interfaces = nodes.filter(ts.isInterfaceDeclaration);
  const types = astToString(interfaces.flatMap((node) => withPathsByProfile(withoutNever(node))));
  const codes = errorCodes.map((code) => `\n    | "${code}"`).join('');
  return `${BANNER}${types}/** What a refusal of the service can say. */\nexport type ErrorCode =${codes};\n`;
}

/** One document for both profiles. Schemas and operations with the same name have the same meaning. */
function joined(documents: Record<Profile, OpenApiDocument>): object {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, PathItem> = {};
  const [organization, project] = [documents.organization, documents.project].map(({ paths: items }) =>
    Object.fromEntries(Object.entries(items).map(([path, item]) => [path, callableItem(item)])),
  ) as [OpenApiDocument['paths'], OpenApiDocument['paths']];
  for (const [profile, items, others] of [
    ['organization', organization, project],
    ['project', project, organization],
  ] as const) {
    for (const [path, item] of Object.entries(items)) {
      const isShared = JSON.stringify(item) === JSON.stringify(others[path]);
      paths[isShared ? path : `${OF_PROFILE[profile]}${path}`] = item;
    }
    for (const [name, schema] of Object.entries(documents[profile].components?.schemas ?? {})) {
      if (JSON.stringify(schemas[name] ?? schema) !== JSON.stringify(schema))
        throw new Error(
          `the profiles mean different things by the schema ${name}: name one of them differently`,
        );
      schemas[name] = schema;
    }
  }
  return { ...documents.organization, paths, components: { schemas } };
}

/**
 * What a caller of the client needs. The client sends headers and credentials according to its options, and turns every
 * refusal into a ServiceError.
 */
function callableItem(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([method, { security: _, ...operation }]) => {
      const responses = Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { content }]) => [status, { content }]);
      const parameters = operation.parameters?.filter(({ in: place }) => place !== 'header');
      return [method, { ...operation, parameters, responses: Object.fromEntries(responses) }];
    }),
  );
}

/** Removes declarations of nothing: members of type never, and empty headers and parameters of operations. */
function withoutNever(root: ts.InterfaceDeclaration): ts.InterfaceDeclaration {
  const isEmpty = (node: ts.Node): boolean => {
    if (!ts.isPropertySignature(node) || node.type === undefined) return false;
    const { type } = node;
    if (type.kind === ts.SyntaxKind.NeverKeyword) return true;
    if (!ts.isTypeLiteralNode(type)) return false;
    const name = ts.isIdentifier(node.name) ? node.name.text : '';
    return name === 'headers'
      ? type.members.every(ts.isIndexSignatureDeclaration)
      : name === 'parameters' && type.members.every(isEmpty);
  };
  const prune = (node: ts.Node): ts.Node | undefined =>
    isEmpty(node) ? undefined : ts.visitEachChild(node, prune, undefined);
  return ts.visitEachChild(root, prune, undefined);
}

/** Replaces the paths of the combined document by those of both profiles and those of each. */
function withPathsByProfile(node: ts.InterfaceDeclaration): ts.InterfaceDeclaration[] {
  if (node.name.text !== 'paths') return [node];
  const ofProfile = (profile: Profile): ts.TypeElement[] =>
    node.members.flatMap((member) => {
      const path = pathOf(member);
      const prefix = OF_PROFILE[profile];
      return path.startsWith(prefix) ? [named(member, path.slice(prefix.length))] : [];
    });
  const isShared = (member: ts.TypeElement): boolean =>
    Object.values(OF_PROFILE).every((prefix) => !pathOf(member).startsWith(prefix));
  return [
    interfaceOf('SharedPaths', node.members.filter(isShared)),
    interfaceOf('OrganizationPaths', ofProfile('organization'), 'SharedPaths'),
    interfaceOf('ProjectPaths', ofProfile('project'), 'SharedPaths'),
  ];
}

function pathOf({ name }: ts.TypeElement): string {
  return name !== undefined && ts.isStringLiteral(name) ? name.text : '';
}

function named(member: ts.TypeElement, path: string): ts.TypeElement {
  if (!ts.isPropertySignature(member)) throw new Error(`${pathOf(member)} is not a property`);
  const { modifiers, questionToken, type } = member;
  return ts.factory.updatePropertySignature(
    member,
    modifiers,
    ts.factory.createStringLiteral(path),
    questionToken,
    type,
  );
}

function interfaceOf(
  name: string,
  members: readonly ts.TypeElement[],
  base?: string,
): ts.InterfaceDeclaration {
  const heritage =
    base === undefined
      ? undefined
      : [
          ts.factory.createHeritageClause(ts.SyntaxKind.ExtendsKeyword, [
            ts.factory.createExpressionWithTypeArguments(ts.factory.createIdentifier(base), undefined),
          ]),
        ];
  const modifiers = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  return ts.factory.createInterfaceDeclaration(modifiers, name, undefined, heritage, members);
}
