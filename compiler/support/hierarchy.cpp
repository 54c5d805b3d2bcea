#include "compiler/support/hierarchy.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace ddx::compiler {
namespace {

class Finder : public clang::RecursiveASTVisitor<Finder> {
 public:
  explicit Finder(const clang::CXXRecordDecl* base) : base_(base->getDefinition()) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) {
    const bool fits = record->isThisDeclarationADefinition() && record->isCompleteDefinition() &&
                      !record->isDependentContext() && !record->isInvalidDecl() &&
                      (record == base_ || record->isDerivedFrom(base_));
    if (fits && !record->isAbstract()) {
      found.push_back(record);
    }
    return true;
  }

  std::vector<const clang::CXXRecordDecl*> found;

 private:
  const clang::CXXRecordDecl* base_;
};

}  // namespace

std::vector<const clang::CXXRecordDecl*> concrete_classes(clang::ASTContext& context,
                                                          const clang::CXXRecordDecl* base) {
  Finder finder(base);
  finder.TraverseAST(context);
  return std::move(finder.found);
}

}  // namespace ddx::compiler
