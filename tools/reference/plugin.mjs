/**
 * Changes to the output of typedoc and its Markdown plugin:
 *
 * - types are written as in the sources (`FaultInput`, not its expansion);
 * - the fences of signatures mark them as no programs, which the tests of the documents would compile;
 * - a constructor has no second heading, and the source of an inherited member is left out;
 * - a union of objects lists each property once.
 */
import { Converter, IntrinsicType, ReflectionKind, UnionType } from "typedoc";
import { MarkdownTheme, MarkdownThemeContext } from "typedoc-plugin-markdown";

/** @param {import("typedoc").Application} app */
export function load(app) {
  app.renderer.defineTheme("voiceplane", Theme);
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, member) => {
    // typedoc would show a constant's value as its default.
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

/** typedoc's contexts go down one level at a time. */
function within(context, reflection) {
  return context.scope === reflection ? context : within(context, reflection.parent).withScope(reflection);
}

/** For `name?: Input<string> | undefined`, the question mark is enough. */
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

/** Leaves out a base that the package does not export. */
function isForReaders(type) {
  return type.reflection !== undefined || type.package !== "pulumi-voiceplane";
}

/** Lists each property of a union of objects once, without the one that distinguishes them. */
function sharedProperties({ types }) {
  const all = types.flatMap(({ declaration }) => declaration?.children ?? []);
  const first = new Map(all.toReversed().map((property) => [property.name, property]));
  return all.filter(
    (property) =>
      first.get(property.name) === property &&
      all.every(({ name, type }) => name !== property.name || String(type) === String(property.type)),
  );
}
