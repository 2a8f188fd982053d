/**
 * What typedoc and its Markdown output leave to be wished for, so that the pages read as if somebody had written them:
 *
 * - types stand as the sources write them (`FaultInput`, not all that it is made of);
 * - signatures say by their fences that they are no programs, which the tests of the documents would compile;
 * - a constructor needs no second heading, and what is inherited from where is of no use to anybody who calls;
 * - of a union of objects each property is told once.
 */
import { Converter, IntrinsicType, ReflectionKind, UnionType } from "typedoc";
import { MarkdownTheme, MarkdownThemeContext } from "typedoc-plugin-markdown";

/** @param {import("typedoc").Application} app */
export function load(app) {
  app.renderer.defineTheme("voiceplane", Theme);
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, member) => {
    // What a constant begins with is no default of anybody's.
    delete member.defaultValue;
    if (!member.kindOf(ReflectionKind.Property)) return;
    asWritten(context, member, context.getSymbolFromReflection(member)?.valueDeclaration?.type);
  });
  app.converter.on(Converter.EVENT_CREATE_SIGNATURE, (context, signature, declaration) => {
    for (const [index, parameter] of (signature.parameters ?? []).entries()) {
      asWritten(context, parameter, declaration?.parameters[index]?.type);
    }
    asWritten(context, signature, declaration?.type);
  });
}

function asWritten(context, reflection, node) {
  if (!node || !reflection.type) return;
  context.project.removeTypeReflections(reflection.type);
  const type = context.converter.convertType(within(context, reflection), node);
  reflection.type = reflection.flags.isOptional ? withoutUndefined(type) : type;
}

/** typedoc goes down one level at a time. */
function within(context, reflection) {
  return context.scope === reflection ? context : within(context, reflection.parent).withScope(reflection);
}

/** `name?: Input<string> | undefined`: the question mark says it. */
function withoutUndefined(type) {
  if (!(type instanceof UnionType)) return type;
  const rest = type.types.filter((member) => !(member instanceof IntrinsicType && member.name === "undefined"));
  return rest.length === 1 ? rest[0] : new UnionType(rest);
}

class Theme extends MarkdownTheme {
  getRenderContext(page) {
    return new Context(this, page, this.application.options);
  }
}

class Context extends MarkdownThemeContext {
  constructor(...args) {
    super(...args);
    const { partials } = this;
    const { signatureTitle, declarationTitle, indexSignature, signatureReturns, hierarchy } = partials;
    Object.assign(partials, {
      signatureTitle: (...of) => asSignature(signatureTitle(...of)),
      declarationTitle: (...of) => asSignature(declarationTitle(...of)),
      indexSignature: (...of) => asSignature(indexSignature(...of)),
      constructor: ({ signatures }, options) =>
        signatures.map((signature) => partials.signature(signature, options)).join("\n\n"),
      signatureReturns: (model, options) => (returnsNothing(model) ? "" : signatureReturns(model, options)),
      hierarchy: (model, options) => (model.types.every(isForReaders) ? hierarchy(model, options) : ""),
      inheritance: () => "",
      typeDeclarationUnionContainer: ({ type }) => partials.propertiesTable(sharedProperties(type)),
    });
  }
}

function asSignature(block) {
  return block.replace(/^```ts$/m, "```ts signature");
}

function returnsNothing({ kind, type }) {
  return kind === ReflectionKind.ConstructorSignature || ["void", "Promise<void>"].includes(String(type));
}

/** Not a base that the package keeps to itself. */
function isForReaders(type) {
  return type.reflection !== undefined || type.package !== "pulumi-voiceplane";
}

/** Of a union of objects each property once, without the one that tells them apart. */
function sharedProperties({ types }) {
  const all = types.flatMap(({ declaration }) => declaration?.children ?? []);
  const first = new Map(all.toReversed().map((property) => [property.name, property]));
  return all.filter(
    (property) =>
      first.get(property.name) === property &&
      all.every(({ name, type }) => name !== property.name || String(type) === String(property.type)),
  );
}
