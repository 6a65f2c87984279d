<?xml version="1.0" encoding="UTF-8"?>
<!-- plain: memo by memo, its caption, its text, its pictures large. Not one style attribute: every reader shows the same. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:import href="common.xsl"/>

  <!-- Sheets are walked through memo by memo. -->
  <xsl:template name="memos"><xsl:apply-templates select=".//memo"/></xsl:template>

  <xsl:template match="memo">
    <xsl:apply-templates select="@day"/>
    <!-- Several pictures have their names under them. -->
    <xsl:apply-templates select="." mode="caption">
      <xsl:with-param name="names" select="@names[not(../photo/@label)]"/>
    </xsl:apply-templates>
    <xsl:apply-templates select="text"/>
    <xsl:for-each select="photo">
      <xsl:if test="position() > 1 or ../@numbers or ../@names or ../moment or ../place or ../text">
        <xsl:call-template name="gap-to-picture"/>
      </xsl:if>
      <xsl:apply-templates select="." mode="large"/>
      <xsl:apply-templates select="@label"/>
    </xsl:for-each>
    <xsl:if test="position() != last()"><xsl:call-template name="gap"/></xsl:if>
  </xsl:template>

  <xsl:template name="gap-to-picture"/>
</xsl:stylesheet>
